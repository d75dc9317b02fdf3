import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const lemonSqueezy: readonly EntityDetector[] = [
  assignedToken({
    id: "lemon-squeezy-key",
    entityType: "LEMON_SQUEEZY_KEY",
    description: "Signing secret of Lemon Squeezy.",
    owners: ["lemon squeezy"],
    what: "(?:secret|key)",
    value: "[A-Za-z0-9]{32,64}",
    exampleName: "signing_secret",
    examples: [
      "9Dbpw9hCIm55EcWfo6MwkNdEDtNYg5Y8N9SrAeYd",
      "pBVZ22o7SYOpTZ2M2zfV1mCksRh2IPBuqyBO8hXc",
    ],
  }),
];
