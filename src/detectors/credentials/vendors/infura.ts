import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const infura: readonly EntityDetector[] = [
  assignedToken({
    id: "infura-api-key",
    entityType: "INFURA_API_KEY",
    description: "Project id or secret of Infura.",
    owners: ["infura"],
    what: "(?:key|secret|id|token)",
    value: "[0-9a-f]{32}",
    exampleName: "project_secret",
    examples: ["8632dd0e043415bd5791a71d62151bba", "aafbee4f377d8dee4b51522ac5c3c4ea"],
  }),
];
