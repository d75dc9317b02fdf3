import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const n8n: readonly EntityDetector[] = [
  markedToken({
    id: "n8n-api-key",
    entityType: "N8N_API_KEY",
    description: "API key of n8n.",
    prefix: "n8n_api_",
    body: "[0-9a-f]{64,80}",
    examples: [
      "5e047b8d02acc289bbab0747f334ee5de5590bbd5dd81ba3d8f09cab730262396d0b035ece3d9808",
      "68d9d7c74cec7d91b5d68fcfee4e365f64c9b65e9e5b48e6a808c120c4f7d26377c0e4a8ad6ed5fa",
    ],
  }),
];
