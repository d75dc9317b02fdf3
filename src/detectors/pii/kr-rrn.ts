import type { EntityDetector } from "../entity.ts";
import { koreanRegistrationScore } from "./kr-registration.ts";

export const krRrn: EntityDetector = {
  id: "kr-rrn",
  entityType: "KR_RRN",
  label: "RRN",
  category: "pii",
  description:
    "A South Korean resident registration number, by its birth date; issued before October 2020, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?[1-4]\d{6}\b`,
  score: 0.85,
  validate: (value) => koreanRegistrationScore(value, 11),
  context: {
    words: [
      "rrn",
      "주민등록번호",
      "주민번호",
      "주민등록",
      "resident registration",
      "resident registration number",
      "korean id",
    ],
    score: 0.95,
  },
  positives: [
    ["주민등록번호 840512-1482137", "840512-1482137"],
    ["RRN 8405121482137", "8405121482137"],
  ],
  negatives: ["841312-1482130", "840512-9482130"],
};
