import type { EntityDetector } from "../entity.ts";

export const prefixedRecordNumber: EntityDetector = {
  id: "prefixed-record-number",
  entityType: "MEDICAL_RECORD_NUMBER",
  label: "MRN",
  category: "phi",
  description: "The number of a medical record that begins with MRN.",
  keywords: ["mrn"],
  keywordPlace: "start",
  pattern: String.raw`\bmrn[-_]?\d{5,12}\b`,
  caseInsensitive: true,
  score: 0.8,
  positives: [
    ["PID|1||MRN482139^^^HOSP", "MRN482139"],
    ["seen today (mrn-00482139)", "mrn-00482139"],
  ],
  negatives: ["MRN12", "the mrna4821390 vaccine", "XMRN482139"],
};
