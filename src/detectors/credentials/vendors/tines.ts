import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const tines: readonly EntityDetector[] = [
  assignedToken({
    id: "tines-token",
    entityType: "TINES_TOKEN",
    description: "API token of Tines.",
    owners: ["tines"],
    what: "(?:token|key)",
    value: String.raw`[\w-]{20,40}`,
    exampleName: "api_token",
    examples: ["QUT9EtuPEVOkpBy36sVGVn", "SJU8LB6XDE6EYpW1uKjU18"],
  }),
];
