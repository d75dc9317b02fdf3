import type { EntityDetector } from "../entity.ts";

export const militaryAddress: EntityDetector = {
  id: "military-address",
  entityType: "STREET_ADDRESS",
  label: "ADDRESS",
  category: "pii",
  description: "An address at a military or diplomatic post office of the United States.",
  keywords: ["apo", "fpo", "dpo"],
  // USPS, Publication 28, section 238: the unit and box or the ship, the post office, its region.
  pattern:
    String.raw`\b(?:(?:(?:PSC|CMR|UNIT|Unit)[ ]\d{1,5},?[ ](?:BOX|Box)[ ]\d{1,5}|` +
    String.raw`(?:USS|USNS|USCGC|USNV|USAV)[ ]\p{Lu}[\p{L}'-]{1,24}(?: \p{Lu}[\p{L}'-]{1,24})?)` +
    String.raw`[,\s]{1,3})?(?:APO|FPO|DPO),? A[AEP] \d{5}(?:-\d{4})?\b`,
  score: 0.85,
  positives: [
    ["Mail: PSC 4821, Box 390\nAPO AE 09482", "PSC 4821, Box 390\nAPO AE 09482"],
    ["USS Petrel\nFPO AP 96482.", "USS Petrel\nFPO AP 96482"],
    ["via DPO AA 34048", "DPO AA 34048"],
  ],
  negatives: ["the APO is closed", "APO AX 09482", "apo ae 09482"],
};
