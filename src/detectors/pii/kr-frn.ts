import type { EntityDetector } from "../entity.ts";
import { koreanRegistrationScore } from "./kr-registration.ts";

export const krFrn: EntityDetector = {
  id: "kr-frn",
  entityType: "KR_FRN",
  label: "FRN",
  category: "pii",
  description:
    "A South Korean foreigner registration number, by its birth date; issued before October 2020, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?[5-8]\d{6}\b`,
  score: 0.85,
  validate: (value) => koreanRegistrationScore(value, 13),
  context: {
    words: [
      "frn",
      "외국인등록번호",
      "외국인등록",
      "foreigner registration",
      "foreign registration",
      "alien registration",
    ],
    score: 0.95,
  },
  positives: [["외국인등록번호 840512-5482130", "840512-5482130"]],
  negatives: ["841312-5482130"],
};
