import type { EntityDetector } from "../entity.ts";
import { regexLiteral } from "../regex-literal.ts";
import { conditionNames } from "./condition-names.ts";

/** The longer first: RE2 takes the first alternative that fits. */
const anyCondition = conditionNames
  .toSorted((a, b) => b.length - a.length)
  .map((name) => regexLiteral(name).replaceAll(" ", "[ -]").replaceAll("'", "['’]?"))
  .join("|");

export const diagnosis: EntityDetector = {
  id: "diagnosis",
  entityType: "DIAGNOSIS",
  label: "DIAGNOSIS",
  category: "phi",
  description: "A common condition, said of a patient or another person.",
  // The first words, since a hyphen may follow.
  keywords: [...new Set(conditionNames.map((name) => name.split(/[ ']/, 1)[0] ?? name))],
  pattern: String.raw`\b(?:${anyCondition})\b`,
  caseInsensitive: true,
  score: 0.3,
  context: {
    words: [
      "patient",
      "patients",
      "patient's",
      "pt",
      "diagnosed",
      "diagnosis",
      "diagnoses",
      "dx",
      "hx",
      "h/o",
      "history of",
      "pmh",
      "pmhx",
      "past medical history",
      "assessment",
      "impression",
      "suffers",
      "suffering",
      "suffered",
      "admitted",
      "presents",
      "presented",
      "presenting",
      "treated for",
      "tested positive",
      "hospitalized",
      "year-old",
      "year old",
      "yo",
      "y/o",
      "mr",
      "mrs",
      "ms",
      "he",
      "she",
      "his",
      "her",
      "my",
      "husband",
      "wife",
      "mother",
      "father",
      "daughter",
      "son",
      "brother",
      "sister",
    ],
    score: 0.65,
  },
  otherwise: ["study", "trial", "article", "guideline", "guidelines", "epidemiology"],
  positives: [
    ["Patient has a history of type 2 diabetes.", "type 2 diabetes"],
    ["He was diagnosed with Crohn’s disease", "Crohn’s disease"],
    ["68-year-old with COPD", "COPD"],
    ["PMH: hypertension, gout", "hypertension"],
    ["my asthma is back", "asthma"],
  ],
  negatives: [
    "Diabetes is a common disease in Europe.",
    "A stroke of luck",
    "the migraine trial enrolled patients",
  ],
};
