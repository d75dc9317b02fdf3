import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const langfuse: readonly EntityDetector[] = [
  markedToken({
    id: "langfuse-key",
    entityType: "LANGFUSE_KEY",
    description: "Secret key of Langfuse.",
    prefix: ["sk-lf-"],
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["6233b7d7-3eec-84e7-9cb6-fbf72365ff70", "87c0a9ba-e5f8-3ef8-dbe7-ff7c95d66afc"],
  }),
];
