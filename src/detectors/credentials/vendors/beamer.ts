import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const beamer: readonly EntityDetector[] = [
  assignedToken({
    id: "beamer-api-token",
    entityType: "BEAMER_TOKEN",
    description: "API token of Beamer.",
    owners: ["beamer"],
    value: String.raw`b_[\w=-]{44}`,
    exampleName: "api_token",
    examples: [
      "b_Yu67iwKKGR4hi3MJTmLcyniVxnI73Z0t9G5nTZWz1KRp",
      "b_38QR68AghcKmBSFmMadG9wFioRgsS9ovnVwdHSp6ONYJ",
    ],
  }),
];
