import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const mailgun: readonly EntityDetector[] = [
  markedToken({
    id: "mailgun-api-key",
    entityType: "MAILGUN_API_KEY",
    description: "API key of Mailgun.",
    prefix: ["key-", "pubkey-"],
    isWordMark: true,
    body: "[0-9a-f]{32}",
    examples: ["c8fc8bcda2932aa7cab336fb41903713", "4cea0e491bd0cb1aea68d65f6ab276f5"],
  }),
  assignedToken({
    id: "mailgun-signing-key",
    entityType: "MAILGUN_API_KEY",
    description: "Signing or API key of Mailgun without a prefix.",
    owners: ["mailgun"],
    value: "[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}|[0-9a-f]{32}",
    exampleName: "signing_key",
    examples: [
      "bb1378a0dc6a34bbfabc09a25c6309e7-34aea3aa-30ff1636",
      "0696b6cf0913c1f099d941dd14e51bfb-f4cfe009-ae042cb3",
    ],
  }),
];
