import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const privateAi: readonly EntityDetector[] = [
  assignedToken({
    id: "private-ai-key",
    entityType: "PRIVATE_AI_KEY",
    description: "API key of Private AI.",
    owners: ["private ai"],
    value: "[a-z0-9]{32}",
    examples: ["jmem1evi0q1vha83qsc0w2qdcqnc9n5b", "guobxewn7dkreu13lcuzfwsm2jatvzw6"],
  }),
];
