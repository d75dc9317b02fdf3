import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const netlify: readonly EntityDetector[] = [
  markedToken({
    id: "netlify-token",
    entityType: "NETLIFY_TOKEN",
    description: "Access token of Netlify.",
    prefix: ["nfp_", "nfc_", "nfo_", "nfu_"],
    body: "[A-Za-z0-9]{36}",
    examples: ["nqmaTrDyvqr3twA9vOesYRKrA0szUGWOpHdh", "ESLHxM8v4pUgT3kxUTHKjVeELzgfkvC9t3g9"],
  }),
  assignedToken({
    id: "netlify-legacy-token",
    entityType: "NETLIFY_TOKEN",
    description: "Access token of Netlify without a prefix.",
    owners: ["netlify"],
    value: String.raw`[\w=-]{40,46}`,
    exampleName: "auth_token",
    examples: [
      "9yKm7aqeas9j0oB9mnBvOvduliAGh8IUoBsxZNvlpnE",
      "7negZPvRJ5VJsSh2YkHucNtCm3iF9CZwB2pXH9h8ywx",
    ],
  }),
];
