import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const intercom: readonly EntityDetector[] = [
  assignedToken({
    id: "intercom-token",
    entityType: "INTERCOM_TOKEN",
    description: "Access token of Intercom.",
    owners: ["intercom"],
    value: String.raw`[\w=-]{60}`,
    exampleName: "access_token",
    examples: [
      "m9U3tAccZdDpxcFcFnGKmUHb7QuFEDSGMRKp4mM4a7Q3H25IjAKUprAK2sKW",
      "LyNOlafX7NofYKVsrpXXuzfxNNaUcWTN7X7X8cB9rSi0pLv4RGX7sUbJqnYA",
    ],
  }),
];
