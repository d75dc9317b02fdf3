import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const assemblyai: readonly EntityDetector[] = [
  assignedToken({
    id: "assemblyai-api-key",
    entityType: "ASSEMBLYAI_API_KEY",
    description: "API key of AssemblyAI.",
    owners: ["assembly ai"],
    value: "[0-9a-f]{32}",
    examples: ["5521e4c9ddb4c6f9c224da48108cd122", "5d7b52df6d5cb5d6d94a34ea17201b29"],
  }),
];
