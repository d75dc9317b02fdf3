import type { EntityDetector } from "../entity.ts";

export const inVehicleRegistration: EntityDetector = {
  id: "in-vehicle-registration",
  entityType: "IN_VEHICLE_REGISTRATION",
  label: "LICENSE_PLATE",
  category: "pii",
  description: "An Indian vehicle registration mark, by its state.",
  keywords: [],
  pattern: String.raw`\b(?:(?:AN|AP|AR|AS|BR|CG|CH|DD|DL|DN|GA|GJ|HP|HR|JH|JK|KA|KL|LA|LD|MH|ML|MN|MP|MZ|NL|OD|OR|PB|PY|RJ|SK|TN|TR|TS|UK|UP|WB)[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4}|\d{2} ?BH ?\d{4} ?[A-HJ-NP-Z]{1,2})\b`,
  caseInsensitive: true,
  score: 0.55,
  // Series do not use I and O, but people write 1 and 0 as I and O.
  validate: (value) =>
    (value.toUpperCase() === value && !/[IO](?=[A-Z\d -]*\d)/.test(value.slice(2))) || 0.3,
  context: {
    words: [
      "vehicle",
      "registration",
      "rto",
      "car",
      "bike",
      "plate",
      "number plate",
      "regn",
      "parked",
    ],
    score: 0.85,
  },
  positives: [
    ["vehicle KA 05 MX 4821", "KA 05 MX 4821"],
    ["MH12DQ4821 was parked", "MH12DQ4821"],
    ["23 BH 4821 AA", "23 BH 4821 AA"],
  ],
  negatives: ["XX12DQ4821", "KA05 4821", "MH12DQ482"],
};
