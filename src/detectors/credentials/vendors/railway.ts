import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const railway: readonly EntityDetector[] = [
  assignedToken({
    id: "railway-token",
    entityType: "RAILWAY_TOKEN",
    description: "Token of Railway.",
    owners: ["railway"],
    what: "token",
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "token",
    examples: ["73aca6e6-9514-2cbd-9498-8889b09fda44", "ccdfb654-0b84-1846-5151-f52dab4be75d"],
  }),
];
