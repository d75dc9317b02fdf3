import type { EntityDetector } from "../entity.ts";

export const medicalLicense: EntityDetector = {
  id: "medical-license",
  entityType: "MEDICAL_LICENSE",
  label: "MEDICAL_LICENSE",
  category: "phi",
  description:
    "The number of a license to practise medicine, nursing or pharmacy, after a word for it.",
  keywords: ["licen", "gmc", "approbation"],
  pattern:
    String.raw`\b(?:(?:state )?(?:medical|physician|physician's|nursing|nurse|rn|md|pharmacist|pharmacy|dental)` +
    String.raw` licen[sc]e|gmc|licencia médica)(?: (?:number|num|no|id|reference))?` +
    String.raw`(?:[ :=#.(]|\bis\b)*([A-Z]{0,3}[-. ]?\d[\d.-]{3,9}\d)\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.8,
  positives: [
    ["Medical license no. A48213", "A48213"],
    ["GMC 4821390", "4821390"],
    ["her nursing license: RN-482139", "RN-482139"],
  ],
  negatives: [
    "software license 482139",
    "medical license expired in 2021",
    "driver license A48213",
  ],
};
