import type { EntityDetector } from "../entity.ts";

export const healthPlanId: EntityDetector = {
  id: "health-plan-id",
  entityType: "HEALTH_PLAN_ID",
  label: "HEALTH_PLAN_ID",
  category: "phi",
  description:
    "The number of a member, subscriber, group or policy of a health plan, after a word for it.",
  keywords: [
    "health",
    "insurance",
    "insured",
    "medicaid",
    "beneficiary",
    "member",
    "subscriber",
    "policy",
  ],
  keywordPlace: "start",
  pattern:
    String.raw`\b(?:(?:health[ _-]?(?:plan|insurance)|insurance|medicaid|beneficiary|member|subscriber|` +
    String.raw`policy[ _-]?holder|insured)[ _-]?(?:member[ _-]?)?(?:policy[ _-]?)?(?:id|identifier|number|num|no|#)|` +
    String.raw`(?:insurance|health) policy|medicaid|health plan)\b["'.]{0,2}` +
    String.raw`(?:[ :=#(]|\bno\b|\bnumber\b|\bis\b|\bid\b|["'])*` +
    String.raw`([A-Z]{0,4}[- ]?\d[\dA-Z-]{4,16}\d)\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.75,
  context: {
    words: [
      "insurance",
      "health",
      "plan",
      "medicaid",
      "coverage",
      "payer",
      "aetna",
      "cigna",
      "humana",
      "blue cross",
      "bcbs",
      "kaiser",
      "unitedhealthcare",
      "anthem",
      "patient",
      "copay",
    ],
    score: 0.85,
  },
  otherwise: ["gym", "car", "library", "airline", "club", "loyalty"],
  positives: [
    ["Health plan ID: XQH482139075", "XQH482139075"],
    ["Insurance member number W48213-9075", "W48213-9075"],
    ["Aetna subscriber id 4821390755", "4821390755"],
    ["Medicaid #: 48213907", "48213907"],
  ],
  negatives: ["gym member id 48213907", "the plan of 2021-2025", "member of 48213907"],
};
