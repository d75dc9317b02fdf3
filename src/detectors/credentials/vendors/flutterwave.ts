import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const flutterwave: readonly EntityDetector[] = [
  markedToken({
    id: "flutterwave-public-key",
    entityType: "FLUTTERWAVE_KEY",
    description: "Public key of Flutterwave.",
    prefix: ["FLWPUBK_TEST-", "FLWPUBK-"],
    body: "[0-9a-h]{32}-X",
    examples: ["a77gef4ag6h807b7188eb14d32749754-X", "2d4hc02f1e4687675f0e60h33c0d8596-X"],
  }),
  markedToken({
    id: "flutterwave-secret-key",
    entityType: "FLUTTERWAVE_KEY",
    description: "Secret or encryption key of Flutterwave.",
    prefix: ["FLWSECK_TEST-", "FLWSECK-"],
    body: "[0-9a-h]{32}-X|[0-9a-h]{12}",
    examples: ["f8g4c83cc4hbfh382fcfcg5e16fdhaf6-X", "bdff78c31bbhh308h957aga5ac2ech9e-X"],
  }),
];
