import type { EntityDetector } from "../entity.ts";

export const deLicensePlate: EntityDetector = {
  id: "de-license-plate",
  entityType: "DE_KFZ",
  label: "LICENSE_PLATE",
  category: "pii",
  description: "A German vehicle registration plate.",
  keywords: [],
  pattern: String.raw`(?:\b[A-Z]|[ÄÖÜ])[A-ZÄÖÜ]{0,2}(?:-[A-Z]{1,2} \d{1,4}|[ -][A-Z]{1,2}[ -]\d{1,4}|[ -][A-Z]{1,2}\d{1,4}|:[A-Z]{1,2} \d{1,4})[EH]?\b`,
  caseInsensitive: true,
  score: 0.45,
  validate: (value) =>
    /^[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [1-9]\d{0,3}[EH]?$/.test(value)
      ? 0.45
      : /[ -]0/.test(value)
        ? false
        : // A word before letters and digits is no district: car AB12.
          (value === value.toUpperCase() || value === value.toLowerCase()) && 0.2,
  context: {
    words: [
      "kennzeichen",
      "kfz",
      "kfz-kennzeichen",
      "autokennzeichen",
      "nummernschild",
      "fahrzeug",
      ...["mein auto", "dein auto", "ihr auto", "sein auto", "das auto", "dem auto", "auto mit"],
      "wagen",
      "pkw",
      "license plate",
      "licence plate",
      "plate",
      "plates",
      "car",
      "vehicle",
      "halter",
      "zulassung",
      "parkt",
    ],
    score: 0.85,
  },
  positives: [
    ["Kennzeichen M-XY 4821", "M-XY 4821"],
    ["KFZ KA-PB 771E", "KA-PB 771E"],
    ["Kennzeichen ÖHR-A 12", "ÖHR-A 12"],
    ["mein kennzeichen: ka-pb 771", "ka-pb 771"],
  ],
  negatives: [
    "ISO-A 4",
    "M-XY 4821",
    "plan B-C 3",
    "the car AB12",
    "gc.autoPack is set to 1",
    "height: auto; on-v12",
  ],
};
