import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const mailchimp: readonly EntityDetector[] = [
  markedToken({
    id: "mailchimp-api-key",
    entityType: "MAILCHIMP_API_KEY",
    description: "API key of Mailchimp.",
    body: String.raw`[0-9a-f]{32}-us\d{1,2}`,
    keywords: ["-us"],
    examples: ["065f6541b99b046bf0412883b8e83897-us9", "fbea34cf1f862672cdc676051aa506c8-us2"],
  }),
  assignedToken({
    id: "mandrill-api-key",
    entityType: "MAILCHIMP_API_KEY",
    description: "API key of Mailchimp Transactional (Mandrill).",
    owners: ["mandrill"],
    value: String.raw`(?:md-)?[\w-]{22}`,
    examples: ["QpTmYNDEHtsTZYinomfWnI", "6n4XT0e78US7SvqqDMa4kk"],
  }),
];
