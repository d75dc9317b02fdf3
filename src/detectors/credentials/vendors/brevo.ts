import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const brevo: readonly EntityDetector[] = [
  markedToken({
    id: "brevo-api-key",
    entityType: "BREVO_API_KEY",
    description: "API or SMTP key of Brevo (Sendinblue).",
    prefix: ["xkeysib-", "xsmtpsib-"],
    body: "[0-9a-f]{64}-[A-Za-z0-9]{16}",
    examples: [
      "bcad0b7ef7b51321fde532dafc7a43e4fbd55b44f7909917abf17d67db49dc29-ZlHWFeGgnfoie72x",
      "163fbcbc6c88d4f9e29fa3250f46f22a8b1c72908bd403c5a308c6ddd76de68c-k1aibuJn2nKQufmG",
    ],
  }),
];
