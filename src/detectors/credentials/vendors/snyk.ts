import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const snyk: readonly EntityDetector[] = [
  assignedToken({
    id: "snyk-token",
    entityType: "SNYK_TOKEN",
    description: "API token of Snyk.",
    owners: ["snyk"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "token",
    examples: ["a942bed6-34be-c886-8b14-b0b2a03738e1", "39a748a9-7bb6-4c30-9b4b-f56ee62dd5a7"],
  }),
];
