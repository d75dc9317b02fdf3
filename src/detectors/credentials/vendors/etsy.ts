import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const etsy: readonly EntityDetector[] = [
  assignedToken({
    id: "etsy-access-token",
    entityType: "ETSY_TOKEN",
    description: "Access token of Etsy.",
    owners: ["etsy"],
    value: "[A-Za-z0-9]{24}",
    exampleName: "access_token",
    examples: ["ce7y0vUu2TYOxQvbrnI7mBQG", "grvOfe0R9cE5AQmw4ncHbtuZ"],
  }),
];
