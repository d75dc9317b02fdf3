import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const weaviate: readonly EntityDetector[] = [
  assignedToken({
    id: "weaviate-api-key",
    entityType: "WEAVIATE_API_KEY",
    description: "API key of Weaviate.",
    owners: ["weaviate"],
    value: "[A-Za-z0-9]{36,40}|[A-Za-z0-9+/=]{50,120}",
    examples: [
      "gN8VyeNQkdjy8epCeYmYCtif0ElFJ6Ww5K7zbosB",
      "3zInqPaHZtSV2OQrKgZe5qewUoXpwlEWlASP6GKN",
    ],
  }),
];
