import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const wise: readonly EntityDetector[] = [
  assignedToken({
    id: "wise-api-token",
    entityType: "WISE_TOKEN",
    description: "API token of Wise.",
    owners: ["transferwise", "wise"],
    what: "(?:token|key)",
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "api_token",
    examples: ["4be56dcc-1dce-0efa-2485-540e02f384a8", "87137261-be58-2510-e625-4c17ca4ba9d0"],
  }),
];
