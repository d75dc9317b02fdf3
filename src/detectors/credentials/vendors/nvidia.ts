import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const nvidia: readonly EntityDetector[] = [
  markedToken({
    id: "nvidia-api-key",
    entityType: "NVIDIA_API_KEY",
    description: "API key of NVIDIA NIM.",
    prefix: "nvapi-",
    body: String.raw`[\w-]{60,72}`,
    examples: [
      "XECoWH7y2Np7WYLMUmlndZrPAi6jeU5mQDS2yjiE1QJV2t7kYWCeEX6q7R4DhJxW",
      "5wrqgSZNZq4yQZmzmZk8PBZMoZmcvFwVGDJoOcap3rxlMx2b1qYG1x8QzhnONcNL",
    ],
  }),
];
