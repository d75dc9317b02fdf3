import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const sparkpost: readonly EntityDetector[] = [
  assignedToken({
    id: "sparkpost-api-key",
    entityType: "SPARKPOST_API_KEY",
    description: "API key of SparkPost.",
    owners: ["sparkpost"],
    value: "[0-9a-f]{40}",
    examples: [
      "c4748c19477137a93088bee2a88719a2c9b02363",
      "aca6e9b96c148c2b6beed28ed7eb016f62242f9a",
    ],
  }),
];
