import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const codacy: readonly EntityDetector[] = [
  assignedToken({
    id: "codacy-token",
    entityType: "CODACY_TOKEN",
    description: "API or project token of Codacy.",
    owners: ["codacy"],
    value: "[0-9a-f]{32}|[A-Za-z0-9]{20}",
    exampleName: "project_token",
    examples: ["e2yCUka9yXg9fL830VP9", "T8geE010kmej5SKOt3ja"],
  }),
];
