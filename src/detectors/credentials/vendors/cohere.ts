import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const cohere: readonly EntityDetector[] = [
  assignedToken({
    id: "cohere-api-key",
    entityType: "COHERE_API_KEY",
    description: "API key of Cohere.",
    owners: ["cohere", "co api"],
    value: "[A-Za-z0-9]{40}",
    examples: [
      "fxiR33WbFl1Fs7COc7oNBV6bZKOVPvZHYOWt3lSq",
      "HoEvib7iEfIjAiDwzOzFi5MF8R8z7D2M2MN7hy79",
    ],
  }),
];
