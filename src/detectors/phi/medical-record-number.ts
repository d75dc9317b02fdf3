import type { EntityDetector } from "../entity.ts";

export const medicalRecordNumber: EntityDetector = {
  id: "medical-record-number",
  entityType: "MEDICAL_RECORD_NUMBER",
  label: "MRN",
  category: "phi",
  description: "The number of a medical record, chart or patient, after a word for it.",
  keywords: ["mrn", "record", "patient", "chart", "hospital", "historia", "dossier", "emr", "ehr"],
  pattern:
    String.raw`\b(?:mrn|emr|ehr|medical[ _-]?record(?:[ _-]?(?:number|num|no|id))?|` +
    String.raw`(?:patient|chart|hospital|health[ _-]?record)[ _-]?(?:number|num|no|id|identifier|#)|` +
    String.raw`patienten(?:nummer|-id)|historia cl[ií]nica|(?:num[ée]ro de )?dossier m[ée]dical)\b` +
    String.raw`["'.]{0,2}(?:[ :=#(]|\bno\b|\bnumber\b|\bis\b|["'])*` +
    String.raw`([A-Z]{0,4}[-_]?\d[\d-]{2,13}\d(?:[-_]?[A-Z0-9]{1,3})?)\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  positives: [
    ["MRN: 00482139", "00482139"],
    ["Medical record number is H-4821390.", "H-4821390"],
    ['"patient_id": "PT482139"', "PT482139"],
    ["(MRN# 482-13-90)", "482-13-90"],
    ["Chart No. 77310A", "77310A"],
  ],
  negatives: [
    "the record 482139 was broken",
    "a chart of 48213 points",
    "MRN pending",
    "patient 2 of 4821",
  ],
};
