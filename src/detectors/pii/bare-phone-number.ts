import { isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";
import { phoneWords } from "./phone-words.ts";

export const barePhoneNumber: EntityDetector = {
  id: "bare-phone-number",
  entityType: "PHONE_NUMBER",
  label: "PHONE",
  category: "pii",
  description: "Digits without any grouping beside a word for a telephone.",
  keywords: [],
  pattern: String.raw`\b(\d{7,12})\b`,
  group: 1,
  score: 0.1,
  // Only context can identify such a run of digits, so the numbering plans are not used.
  validate: (value) => !isOneDigitRepeated(value) && !date.test(value),
  context: { words: phoneWords, score: 0.7 },
  otherwise: [
    "order",
    "invoice",
    "ticket",
    "case",
    "account",
    "ssn",
    "id",
    "isbn",
    "sku",
    "reference",
    "ref",
    "serial",
    "tracking",
    "mrn",
    "npi",
    "epoch",
    "timestamp",
  ],
  positives: [
    ["phone: 4155550132", "4155550132"],
    ["Handynummer 015112345678", "015112345678"],
    ["WhatsApp me at 9876543210", "9876543210"],
    ["我的电话是13800138077，请联系", "13800138077"],
  ],
  negatives: [
    "phone case order 41555501",
    "call id 4155550132",
    "sum 4155550132",
    "call 0.4155550132",
    "20310409: the version number to print",
  ],
};

/** A day without separators: 20310409. */
const date = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
