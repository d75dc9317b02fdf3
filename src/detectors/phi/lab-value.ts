import type { EntityDetector } from "../entity.ts";

const tests =
  "hemoglobin a1c|hba1c|a1c|hemoglobin|haemoglobin|hgb|hematocrit|hct|wbc|white count|rbc|platelets|plt|" +
  "glucose|fasting glucose|blood glucose|blood sugar|creatinine|egfr|gfr|bun|urea|sodium|potassium|" +
  "chloride|bicarbonate|calcium|magnesium|phosphate|albumin|bilirubin|alt|ast|alkaline phosphatase|alp|" +
  "ggt|lipase|amylase|ldl|hdl|triglycerides|total cholesterol|cholesterol|tsh|free t4|t4|t3|psa|inr|pt|" +
  "ptt|aptt|d-dimer|troponin|troponin i|troponin t|bnp|nt-probnp|crp|esr|ferritin|transferrin|" +
  "vitamin d|vitamin b12|b12|folate|lactate|ammonia|uric acid|cd4|cd4 count|viral load|hcg|cortisol|" +
  "blood pressure|bp|heart rate|hr|pulse|temperature|temp|respiratory rate|rr|spo2|o2 sat|" +
  "oxygen saturation|bmi|ejection fraction|ef|peak flow|fev1";

/** Units in letters end with the word. */
const units =
  String.raw`(?:%|kg/m²|(?:mg/dl|g/dl|g/l|mmol/l|µmol/l|umol/l|mol/l|meq/l|u/l|iu/l|miu/l|miu/ml|µiu/ml|` +
  String.raw`ng/ml|ng/dl|pg/ml|µg/l|ug/l|mcg/dl|ng/l|pmol/l|nmol/l|k/ul|k/µl|x? ?10\^?9/l|x? ?10\^?3/[uµ]l|` +
  String.raw`/[uµ]l|cells/mm3|cells/µl|fl|mm/hr?|mmhg|bpm|/min|breaths/min|°? ?[cf]|kg/m2|ml/min/1\.73|` +
  String.raw`ml/min|seconds|sec|mg/l|copies/ml|l/min)\b)`;

export const labValue: EntityDetector = {
  id: "lab-value",
  entityType: "LAB_VALUE",
  label: "LAB_VALUE",
  category: "phi",
  description: "A laboratory result or vital sign of a patient: its name, value and unit.",
  keywords: tests.split("|"),
  keywordPlace: "start",
  pattern:
    String.raw`\b(?:${tests})(?: (?:level|count))?(?:[ :=]|\b(?:was|is|of|at)\b){1,6}` +
    String.raw`(?:[<>] ?)?(?:\d{2,3}/\d{2,3}\b(?: ?mmhg\b)?|\d{1,6}(?:[.,]\d{1,3})? ?${units})`,
  caseInsensitive: true,
  score: 0.4,
  context: {
    words: [
      "patient",
      "patient's",
      "male",
      "female",
      "hpi",
      "presents",
      "presented",
      "presenting",
      "impression",
      "denies",
      "daily",
      "nightly",
      "bid",
      "pt",
      "lab",
      "labs",
      "laboratory",
      "results",
      ...[
        "cbc",
        "cmp",
        "bmp",
        "lipid panel",
        "specimen",
        "hematology",
        "reference range",
        "ref range",
      ],
      "vitals",
      "vital signs",
      "exam",
      "admitted",
      "admission",
      "assessment",
      "year-old",
      "year old",
      "his",
      "her",
      "my",
      "mr",
      "mrs",
      "ms",
      "she",
      "he",
    ],
    score: 0.7,
  },
  positives: [
    ["Labs: HbA1c 8.2 %, repeat", "HbA1c 8.2 %"],
    ["Patient's glucose was 214 mg/dL.", "glucose was 214 mg/dL"],
    ["Vitals: BP 148/92 mmHg, HR 88 bpm", "BP 148/92 mmHg"],
    ["her TSH 6.1 mIU/L", "TSH 6.1 mIU/L"],
    ["CBC\nHemoglobin 9.8 g/dL L", "Hemoglobin 9.8 g/dL"],
    ["pt. Creatinine: 1.9 mg/dL", "Creatinine: 1.9 mg/dL"],
    ["54-year-old male with chest pain. BP 162/98", "BP 162/98"],
  ],
  negatives: [
    "A normal glucose is 80 mg/dL in adults.",
    "his temperature was fine",
    "the pulse of 88 cities",
    "patient in bed 4",
  ],
};
