import type { EntityDetector } from "../entity.ts";

export const cptCode: EntityDetector = {
  id: "cpt-code",
  entityType: "CPT_CODE",
  label: "CPT",
  category: "phi",
  description: "A procedure code of CPT or HCPCS beside a word for it.",
  keywords: ["cpt", "hcpcs", "procedure"],
  pattern: String.raw`\b(?:\d{5}|\d{4}[FTU]|[A-V]\d{4})(?:-[A-Z0-9]{2})?\b`,
  score: 0.1,
  context: {
    words: ["cpt", "cpt code", "cpt codes", "hcpcs", "procedure code", "procedure codes"],
    score: 0.8,
  },
  otherwise: ["zip", "usd", "$", "plz"],
  positives: [
    ["CPT 99213 office visit", "99213"],
    ["HCPCS J1885 given", "J1885"],
    ["CPT code 99214-25", "99214-25"],
  ],
  negatives: ["procedure took 12345 seconds", "99213", "the CPT file"],
};
