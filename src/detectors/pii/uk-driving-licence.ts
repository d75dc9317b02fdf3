import type { EntityDetector } from "../entity.ts";

export const ukDrivingLicence: EntityDetector = {
  id: "uk-driving-licence",
  entityType: "UK_DRIVING_LICENCE",
  label: "DRIVER_LICENSE",
  category: "pii",
  description: "A driving licence number of Great Britain: surname, birth date and initials.",
  keywords: [],
  pattern: String.raw`\b[A-Z9]{5}[ -]?\d(?:0[1-9]|1[0-2]|5[1-9]|6[0-2])(?:0[1-9]|[12]\d|3[01])\d[ -]?[A-Z9]{2}\d[A-Z]{2}(?: ?\d{2})?\b`,
  caseInsensitive: true,
  score: 0.75,
  validate: (value) => /^[A-Z]+9*[ -]?\d/i.test(value),
  context: {
    words: ["licence", "license", "driving", "driver", "dvla", "driving licence"],
    score: 0.95,
  },
  positives: [
    ["licence HOLTM 612044 MJ9AB", "HOLTM 612044 MJ9AB"],
    ["DVLA: FOX99709280TA7CD", "FOX99709280TA7CD"],
  ],
  negatives: ["HOLTM613044MJ9AB", "HOLTM612044MJ", "99999712044MJ9AB"],
};
