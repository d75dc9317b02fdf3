import type { EntityDetector } from "../entity.ts";
import { emailAddress } from "./email-address.ts";

/** An address in a query or a form, in which the @ is encoded. */
export const encodedEmailAddress: EntityDetector = {
  id: "encoded-email-address",
  entityType: "EMAIL_ADDRESS",
  label: "EMAIL",
  category: "pii",
  description: emailAddress.description,
  keywords: ["%40"],
  keywordPlace: "run",
  pattern: String.raw`\b\w(?:[\w.+'~-]|%2B){0,62}%40[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}\b`,
  caseInsensitive: true,
  score: 0.9,
  validate: (value) => emailAddress.validate?.(decodeURIComponent(value)) ?? true,
  positives: [
    ["GET /u?email=mira.holt%40example.com&x=1", "mira.holt%40example.com"],
    ["to=tomas%2Binvoices%40mail.example.co.uk", "tomas%2Binvoices%40mail.example.co.uk"],
  ],
  negatives: ["left-pad%401.3.0", "/%40scope/package.json", "%40example.com"],
};
