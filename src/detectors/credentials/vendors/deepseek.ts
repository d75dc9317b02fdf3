import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const deepseek: readonly EntityDetector[] = [
  assignedToken({
    id: "deepseek-api-key",
    entityType: "DEEPSEEK_API_KEY",
    description: "API key of DeepSeek.",
    owners: ["deepseek"],
    value: "sk-[0-9a-f]{32}",
    score: 0.97,
    examples: ["sk-abc5ba8117c4f4c73c9bacbd38b73137", "sk-95e88a04d4014e0a88cfb1fc62b9dc93"],
  }),
];
