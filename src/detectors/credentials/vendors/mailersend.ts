import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const mailersend: readonly EntityDetector[] = [
  markedToken({
    id: "mailersend-token",
    entityType: "MAILERSEND_TOKEN",
    description: "API token of MailerSend.",
    prefix: "mlsn.",
    body: "[0-9a-f]{64}",
    examples: [
      "a183f1d7ffa9c85102929d55a96122feeaf20321f7ef88d5704b2f195644df8d",
      "8aa899964543f58e7b560c3271e7e484f3b2ff233bd5affe1365a0b4c466cd24",
    ],
  }),
];
