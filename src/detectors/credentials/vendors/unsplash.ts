import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const unsplash: readonly EntityDetector[] = [
  assignedToken({
    id: "unsplash-key",
    entityType: "UNSPLASH_KEY",
    description: "Access or secret key of Unsplash.",
    owners: ["unsplash"],
    value: String.raw`[\w-]{43}`,
    exampleName: "access_key",
    examples: [
      "TXC07wpSqsRAEnbR5ZgqBHoxXYiAtqiGogYUSIRg2pk",
      "GEIk44eaOt4yZO86aNZYFHZPMBuk5lSJiPFVAZAZP2c",
    ],
  }),
];
