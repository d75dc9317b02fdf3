import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";
import { subscriberDigits } from "./phone-regions.ts";

/** A label right before a number that makes it certain. */
const label =
  String.raw`(?:(?:tele|cell|mobile |home |work |office |contact )?phone|tel|telephone|mobile|cell|fax|whatsapp|` +
  String.raw`telefon|telefonnummer|handy|handynummer|mobil|rufnummer|téléphone|tél|teléfono|telefono|móvil|` +
  String.raw`telefone|cellulare)(?: (?:number|no|nr|num))?[.]?(?: is|:|=|#)[ \t]{0,4}["']?`;
const invitation = String.raw`(?:call|text|reach|contact|phone|ring)(?: (?:me|us|him|her|them))(?: back)? (?:at|on|under) `;

const separator = String.raw`[ .\-/()\x{a0}\x{2011}]`;
const extension = String.raw`(?:[ ,;]{0,2}(?:x|ext\.?|extension)[ .:]{0,2}\d{1,6})?`;

export const labelledPhoneNumber: EntityDetector = {
  id: "labelled-phone-number",
  entityType: "PHONE_NUMBER",
  label: "PHONE",
  category: "pii",
  description: "A number in any grouping right behind a label for a telephone.",
  keywords: [
    "phone",
    "tel",
    "mobil",
    "cell",
    "fax",
    "whatsapp",
    "handy",
    "rufnummer",
    "tél",
    "móvil",
    "call ",
    "text ",
    "reach ",
    "contact ",
    "ring ",
  ],
  pattern: String.raw`\b(?:${label}|${invitation})(\+?\(?\d(?:${separator}{0,3}\d){5,14}${extension})\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.7,
  validate: (value) => {
    const digits = subscriberDigits(value);
    if (digits.length < 6 || isOneDigitRepeated(digits)) return false;
    return !notPhone.test(value) && digitsOf(value) !== "";
  },
  positives: [
    ["Phone: 72 128 827", "72 128 827"],
    ["Tel.: 0 55 21 / 13 90", "0 55 21 / 13 90"],
    ["mobile no: 482 13 907 x12", "482 13 907 x12"],
    ["please call me at 48 21 39", "48 21 39"],
    ["Fax=(0482) 1390 75", "(0482) 1390 75"],
  ],
  negatives: [
    "Phone: 2031-04-09",
    "phone model 482139",
    "call them on 09.04.2031",
    "Cell: 10.0.48.21",
    "tel: 12 39",
  ],
};

/** A date or an IP address. */
const notPhone =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}|\d{1,3}(?:\.\d{1,3}){3})$/;
