import type { EntityDetector } from "../entity.ts";
import { brandNames, everydayMedicationNames, genericStems } from "./medication-names.ts";

const names = [...brandNames, ...everydayMedicationNames];
const everyday: ReadonlySet<string> = new Set(everydayMedicationNames);

/** The salt that follows many generic names. */
const salt =
  "(?:[ -](?:hydrochloride|hcl|sodium|succinate|tartrate|maleate|mesylate|besylate|potassium|acetate|" +
  "glargine|lispro|aspart|carbonate|xr|er|sr|xl))?";

export const medication: EntityDetector = {
  id: "medication",
  entityType: "MEDICATION",
  label: "MEDICATION",
  category: "phi",
  description: "A medicine by its generic name or a common brand.",
  keywords: [...genericStems, ...names],
  pattern: String.raw`\b(?:(?:${genericStems.join("|")})[aeo]?|${names.join("|")})${salt}\b`,
  caseInsensitive: true,
  score: 0.6,
  validate: (value) => !everyday.has(value.toLowerCase().split(/[ -]/, 1)[0] ?? "") || 0.4,
  context: {
    words: [
      "mg",
      "mcg",
      "units",
      "ml",
      "tablet",
      "tablets",
      "dose",
      "doses",
      "daily",
      "bid",
      "tid",
      "qid",
      "prn",
      "po",
      "iv",
      "prescribed",
      "prescription",
      "rx",
      "takes",
      "taking",
      "took",
      "medication",
      "medications",
      "meds",
      "patient",
      "allergic",
      "allergy",
      "inhaler",
      "refill",
      "started on",
      "discharged on",
    ],
    score: 0.8,
  },
  positives: [
    ["Continue metformin 500 mg twice a day.", "metformin"],
    ["She was started on Lisinopril", "Lisinopril"],
    ["metoprolol succinate 50 mg", "metoprolol succinate"],
    ["takes aspirin daily", "aspirin"],
    ["traitement : metformine 850 mg, paracétamol 1 g", "metformine"],
    ["Amlodipin 5 mg 1-0-0", "Amlodipin"],
    ["tratamiento con atorvastatina", "atorvastatina"],
    ["insulin glargine 12 units", "insulin glargine"],
  ],
  negatives: ["aspirin was invented", "lithium batteries", "metforminology", "a lipid"],
};
