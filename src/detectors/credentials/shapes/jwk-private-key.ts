import type { EntityDetector } from "../../entity.ts";
import { mayBeDrawn } from "../token-shape.ts";

const exponent = "sX9_kQ2vTn4wLsd72JfQhVbE1mGtPuKo3XyR6HcWzD4";

export const jwkPrivateKey: EntityDetector = {
  id: "jwk-private-key",
  entityType: "PRIVATE_KEY",
  label: "PRIVATE_KEY",
  category: "credential",
  description: "Private member of a JSON Web Key.",
  keywords: ['"d"', "'d'"],
  pattern: String.raw`["']d\\?["'][ \t]{0,4}:\s{0,8}\\?["']((?:[\w-]{683}|[\w-]{512}|[\w-]{342}|[\w-]{171}|[\w-]{88}|[\w-]{86}|[\w-]{64}|[\w-]{43}))\\?["']`,
  group: 1,
  score: 0.8,
  validate: mayBeDrawn,
  positives: [
    [
      `{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"${exponent}"}`,
      exponent,
    ],
  ],
  negatives: ['{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}'],
};
