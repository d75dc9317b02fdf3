import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const togetherAi: readonly EntityDetector[] = [
  markedToken({
    id: "together-ai-key",
    entityType: "TOGETHER_AI_KEY",
    description: "API key of Together AI.",
    prefix: "tgp_v1_",
    body: String.raw`[\w-]{40,48}`,
    examples: [
      "uz0qcwGlgOJUSoPlf4LArJxwcXxIMV6FRR6j7ABfHk3",
      "tgdbLkXGVxDYfnEILPkC2snFt9b7QLnvILvPHUkUWCl",
    ],
  }),
  assignedToken({
    id: "together-ai-legacy-key",
    entityType: "TOGETHER_AI_KEY",
    description: "API key of Together AI without a prefix.",
    owners: ["together"],
    value: "[0-9a-f]{64}",
    examples: [
      "9672cf19a41a9a302e0be44c71071545a25295c91adb4c2a8780f6b941480f51",
      "411a8b20e11e7eb156eb7502785ce17b6fa352f67c30f87b0fee014b86f5783a",
    ],
  }),
];
