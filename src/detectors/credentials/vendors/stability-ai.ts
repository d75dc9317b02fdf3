import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const stabilityAi: readonly EntityDetector[] = [
  assignedToken({
    id: "stability-ai-key",
    entityType: "STABILITY_AI_KEY",
    description: "API key of Stability AI.",
    owners: ["stability", "dreamstudio"],
    value: "sk-[A-Za-z0-9]{48}",
    score: 0.97,
    examples: [
      "sk-gDCu3AmtyqFkCP2ifJsfqvfqDKKlDRKrx6Jzn36eWTcsJ83t",
      "sk-wO2DpZwSQx7VqwAO4lE5DjKGj4gs58ooXNs2D1g2aZpegfj2",
    ],
  }),
];
