import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const maxmind: readonly EntityDetector[] = [
  markedToken({
    id: "maxmind-license-key",
    entityType: "MAXMIND_LICENSE_KEY",
    description: "License key of MaxMind.",
    body: "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
    keywords: ["_mmk"],
    examples: [
      "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",
      "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",
    ],
  }),
];
