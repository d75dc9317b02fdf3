import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const buildkite: readonly EntityDetector[] = [
  markedToken({
    id: "buildkite-token",
    entityType: "BUILDKITE_TOKEN",
    description: "API or agent token of Buildkite.",
    prefix: ["bkua_", "bkaa_", "bkct_", "bkat_"],
    body: "[A-Za-z0-9]{32,64}",
    examples: [
      "sF9FAIiQg4YC6I116yKy5f6tPOFbBChcF1bqnKYe",
      "StGZc42ASAqHon1z9X4mrQo199tDg3WQjddKLlvN",
    ],
  }),
];
