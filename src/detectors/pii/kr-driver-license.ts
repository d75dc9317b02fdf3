import type { EntityDetector } from "../entity.ts";

export const krDriverLicense: EntityDetector = {
  id: "kr-driver-license",
  entityType: "KR_DRIVER_LICENSE",
  label: "DRIVER_LICENSE",
  category: "pii",
  description: "A South Korean driver license number, by its region.",
  keywords: [],
  pattern: String.raw`\b(?:1[1-9]|2[0-6]|28)-?\d{2}-?\d{6}-?\d{2}\b`,
  score: 0.5,
  validate: (value) => value.split("-").length === 4 || 0.1,
  context: {
    words: [
      "운전면허",
      "운전면허번호",
      "면허번호",
      "면허",
      "driver license",
      "driver's license",
      "korean driver",
    ],
    score: 0.9,
  },
  positives: [["운전면허 11-84-482139-07", "11-84-482139-07"]],
  negatives: ["99-84-482139-07", "119848213907"],
};
