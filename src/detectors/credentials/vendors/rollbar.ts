import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const rollbar: readonly EntityDetector[] = [
  assignedToken({
    id: "rollbar-token",
    entityType: "ROLLBAR_TOKEN",
    description: "Access token of Rollbar.",
    owners: ["rollbar"],
    value: "[0-9a-f]{32}",
    exampleName: "access_token",
    examples: ["7951af0dc901e968bc8478780de0108c", "96b61315e6f5e36f6ecd3ade303c866e"],
  }),
];
