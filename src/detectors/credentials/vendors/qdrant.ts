import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const qdrant: readonly EntityDetector[] = [
  assignedToken({
    id: "qdrant-api-key",
    entityType: "QDRANT_API_KEY",
    description: "API key of Qdrant.",
    owners: ["qdrant"],
    value: String.raw`[\w-]{32,80}`,
    examples: [
      "Ybi3eMbvrdI1k3HnmooQe00B9E7X6vK7tGoBySCuKdkHDzmLGsnsIE",
      "uNs6Kr04oqbd9HlJuTLKkc3dRqBqT5uMk9X8JGVwErXbH9Fdmm5Rdu",
    ],
  }),
];
