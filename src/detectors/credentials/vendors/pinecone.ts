import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const pinecone: readonly EntityDetector[] = [
  markedToken({
    id: "pinecone-api-key",
    entityType: "PINECONE_API_KEY",
    description: "API key of Pinecone.",
    prefix: "pcsk_",
    body: "[A-Za-z0-9_]{60,80}",
    examples: [
      "wkVvkz_5QkYliZlmadny9NOkhVZAVX8cQQ1aBATIgpu3UKJYKdDkHsTraL45qWKRwG0at",
      "SxZ964_9MbOueqwPy0yTNSPhkQHGBokuFeEr9awdSIXVJaXg7QlyzTLSff67bOnJ0Rfrw",
    ],
  }),
  assignedToken({
    id: "pinecone-legacy-key",
    entityType: "PINECONE_API_KEY",
    description: "API key of Pinecone without a prefix.",
    owners: ["pinecone"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["f606a651-4bd8-4a20-7a28-8a775749ac76", "87d2691c-b156-f185-7643-8d72c24d825c"],
  }),
];
