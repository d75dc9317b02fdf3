import type { EntityDetector } from "../entity.ts";

export const ukVehicleRegistration: EntityDetector = {
  id: "uk-vehicle-registration",
  entityType: "UK_VEHICLE_REGISTRATION",
  label: "LICENSE_PLATE",
  category: "pii",
  description: "A vehicle registration mark of Great Britain.",
  keywords: [],
  pattern: String.raw`\b(?:[A-HJ-PR-Y][A-HJ-PR-Y](?:0[2-9]|[12]\d|5[1-9]|[67]\d)[ -]?[A-HJ-PR-Z]{3}|[A-HJ-NPR-TV-Y]\d{1,3}[ -]?[A-HJ-PR-Y][A-HJ-PR-Z]{2}|[A-HJ-PR-Z][A-HJ-PR-Y]{2}[ -]?\d{1,3}[A-HJ-NPR-TV-Y])\b`,
  caseInsensitive: true,
  score: 0.5,
  validate: (value) => {
    // The format since 2001: two letters, the half-year, three letters.
    if (!/^[A-Z]{2}\d{2}/.test(value)) return 0.2;
    return value.includes(" ") && value === value.toUpperCase() ? 0.5 : 0.35;
  },
  context: {
    words: [
      "registration",
      "reg",
      "vehicle",
      "number plate",
      "plate",
      "plates",
      "car",
      "van",
      "vrm",
      "vrn",
      "dvla",
      "licence plate",
      "license plate",
      "parked",
      "mot",
    ],
    score: 0.7,
  },
  // `new RegExp(…)`
  otherwise: ["exp"],
  positives: [
    ["my car's number plate is LK57 HVB", "LK57 HVB"],
    ["reg W174 KLD", "W174 KLD"],
    ["vehicle HVB 318Y", "HVB 318Y"],
  ],
  negatives: ["LK01 HVB", "IO57 QZZ", "part W174 KLD", "AA89 QQQ", "new RegExp(`^${b64url}$`)"],
};
