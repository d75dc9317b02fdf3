import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ipinfo: readonly EntityDetector[] = [
  assignedToken({
    id: "ipinfo-token",
    entityType: "IPINFO_TOKEN",
    description: "Token of IPinfo.",
    owners: ["ipinfo"],
    value: "[0-9a-f]{14}",
    exampleName: "token",
    examples: ["ca94e7658e29c0", "e4640734929d73"],
  }),
];
