import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const sendgrid: readonly EntityDetector[] = [
  markedToken({
    id: "sendgrid-api-key",
    entityType: "SENDGRID_API_KEY",
    description: "API key of SendGrid.",
    prefix: "SG.",
    body: String.raw`[\w=-]{20,24}\.[\w=-]{39,50}|[\w=.-]{66}`,
    examples: [
      "T5SEbl24CGeWALwD6UPSvL.VCSc8a0tEWVq2gu63XOdOV4QyKSzvxswNTZbm4wcSVA",
      "tYZS4Ueb1mAggloTQgm7Ju.iX8Dd5yC7vel9IuyBPtcrcAlMo9ZkciO4qIll4vlzYp",
    ],
  }),
];
