import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const elastic: readonly EntityDetector[] = [
  assignedToken({
    id: "elastic-api-key",
    entityType: "ELASTIC_API_KEY",
    description: "API key of Elasticsearch.",
    owners: ["elastic", "elasticsearch"],
    value: String.raw`[A-Za-z0-9+/]{58}==|[\w-]{20}:[\w-]{22}`,
    examples: [
      "LoPZDAjeOGVZo9QvCCNlTm2i5ksARRCB7jb3gw1huexxLHIY6fOzEoy8JG==",
      "PthLweiTACZj5NyrGi6iD0Ol6JtVUOwWvBH9nPKCVTNRQCywDaq5KlClx1==",
    ],
  }),
];
