import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const papertrail: readonly EntityDetector[] = [
  assignedToken({
    id: "papertrail-token",
    entityType: "PAPERTRAIL_TOKEN",
    description: "API token of Papertrail.",
    owners: ["papertrail"],
    value: "[A-Za-z0-9]{20}",
    exampleName: "api_token",
    examples: ["yYp8ptKKAZWiYK7iGxhw", "oaYnW3zqBW3cZn6T08m4"],
  }),
];
