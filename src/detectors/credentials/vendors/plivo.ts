import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const plivo: readonly EntityDetector[] = [
  assignedToken({
    id: "plivo-auth-token",
    entityType: "PLIVO_TOKEN",
    description: "Auth token of Plivo.",
    owners: ["plivo"],
    what: "token",
    value: "[A-Za-z0-9]{40}",
    exampleName: "auth_token",
    examples: [
      "9PLHbm81Hvcg7mlVyNB1mfWIfplVa612Uahk9M62",
      "fZQ3ogNBCiuQDpcf6VmZin102YGXQNF7drPQ4Fgd",
    ],
  }),
];
