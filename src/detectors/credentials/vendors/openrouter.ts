import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const openrouter: readonly EntityDetector[] = [
  markedToken({
    id: "openrouter-api-key",
    entityType: "OPENROUTER_API_KEY",
    description: "API key of OpenRouter.",
    prefix: "sk-or-v1-",
    body: "[0-9a-f]{64}",
    examples: [
      "441877fbfae9805291fba8079123b1e26bf5355b334c753991461cb21d4c6e7d",
      "f9e6930b70a1da2e296160b7141a968e73671adfe9a8dd104bdd124435f46bf7",
    ],
  }),
];
