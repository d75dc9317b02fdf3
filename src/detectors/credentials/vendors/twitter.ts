import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const twitter: readonly EntityDetector[] = [
  assignedToken({
    id: "twitter-api-key",
    entityType: "TWITTER_API_KEY",
    description: "API key of X (Twitter).",
    owners: ["twitter"],
    value: "[A-Za-z0-9]{25}",
    examples: ["cTLqGw2EDTy2RxoWjG5RrD73n", "WAtpn2y1nd4bTBAc6NRRdyjuW"],
  }),
  assignedToken({
    id: "twitter-api-secret",
    entityType: "TWITTER_API_SECRET",
    description: "API secret of X (Twitter).",
    owners: ["twitter"],
    value: "[A-Za-z0-9]{50}",
    exampleName: "api_secret",
    examples: [
      "QK0pFAcNVsxYDep5UChEr1ayP1vg4ZFz9AcFLpewFVULuUFuX2",
      "tVAfVeRebiFe7l515PvVGsldNqrlMXAzFskDhHkZpRbFmauSQU",
    ],
  }),
  assignedToken({
    id: "twitter-access-token",
    entityType: "TWITTER_TOKEN",
    description: "Access token of X (Twitter).",
    owners: ["twitter"],
    value: String.raw`\d{15,25}-[A-Za-z0-9]{20,40}`,
    exampleName: "access_token",
    examples: [
      "4612491252279089646-SbgOKm2oUeu6tE0Th1YQyOWnZAm6TE",
      "3698414747108749630-MXgZKWmNAvnLvFw7wOmOYAeIejILMo",
    ],
  }),
  assignedToken({
    id: "twitter-access-secret",
    entityType: "TWITTER_SECRET",
    description: "Access token secret of X (Twitter).",
    owners: ["twitter"],
    value: "[A-Za-z0-9]{45}",
    exampleName: "access_token_secret",
    examples: [
      "rJwm7oECb2FSQcQbJTgwGbcLz5O0k1hDNdXiXIUVul3k4",
      "O8d9S8rHtp8jcGcJtkLR5HnX8DYgvmSNjzpC1z0a4hAZl",
    ],
  }),
  markedToken({
    id: "twitter-bearer-token",
    entityType: "TWITTER_TOKEN",
    description: "Bearer token of X (Twitter).",
    prefix: "AAAAAAAAAAAAAAAAAAAAA",
    body: "[A-Za-z0-9%]{80,120}",
    examples: [
      "VhOJzBbja4xksDMyN2hF8ZPrrRQjz7x7jkuFiBFz6viooVqHu1pFMgXNNSztTLJPfhjdhCuDll1HOhZ5AJ6DwTXuI98f9",
      "PDa5kSYHGAIRLtPiDDXn2ZjC0a9s5auMiHo9DBRSlNCthN93mwK6upBiO3QAG0wXs7jnkjv6iXcEgMj3FqjrJqwVBJ9EQ",
    ],
  }),
];
