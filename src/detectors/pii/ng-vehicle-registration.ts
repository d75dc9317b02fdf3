import type { EntityDetector } from "../entity.ts";

export const ngVehicleRegistration: EntityDetector = {
  id: "ng-vehicle-registration",
  entityType: "NG_VEHICLE_REGISTRATION",
  label: "LICENSE_PLATE",
  category: "pii",
  description: "A Nigerian vehicle registration plate beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[A-Z]{3}[- ]?\d{3}[- ]?[A-Z]{2}\b`,
  caseInsensitive: true,
  score: 0.4,
  validate: (value) => (value.charAt(3) === "-" ? 0.4 : 0.25),
  context: {
    words: [
      "vehicle",
      "plate",
      "plate number",
      "registration",
      "car",
      "reg",
      "nigeria",
      "frsc",
      "license plate",
    ],
    score: 0.75,
  },
  positives: [["plate number KJA-482AA", "KJA-482AA"]],
  negatives: ["KJA-482AA", "model ABC-123DE"],
};
