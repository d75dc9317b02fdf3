import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const duffel: readonly EntityDetector[] = [
  markedToken({
    id: "duffel-token",
    entityType: "DUFFEL_TOKEN",
    description: "API token of Duffel.",
    prefix: ["duffel_test_", "duffel_live_"],
    body: String.raw`[\w=-]{43}`,
    examples: [
      "RFdB9QWP0nZblM9XC3GTH2YBDtaqnar30Pp6LHub6aB",
      "V3bCk9FGUyJJAGvOO0NhJGOG1mZ9phDAyTmgQg23UIA",
    ],
  }),
];
