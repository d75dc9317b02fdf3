import { compact } from "../checksums/digits.ts";
import { mod97 } from "../checksums/mod97.ts";
import type { EntityDetector } from "../entity.ts";

/** Countries by the length of their numbers (SWIFT's IBAN registry). */
const countriesByLength: Readonly<Record<number, string>> = {
  15: "NO",
  16: "BE",
  18: "DK FI FK FO GL NL SD",
  19: "MK SI",
  20: "AT BA EE KZ LT LU MN XK",
  21: "CH HR LI LV",
  22: "BG BH CR DE GB GE IE ME RS VA",
  23: "AE GI IL IQ OM SO TL",
  24: "AD CZ ES MD PK RO SA SE SK TN VG",
  25: "LY PT ST",
  26: "IS TR",
  27: "BI DJ FR GR IT MC MR SM",
  28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
  29: "BR EG PS QA UA",
  30: "JO KW MU YE",
  31: "MT SC",
  32: "LC",
  33: "RU",
};

/**
 * One branch for each length, so that a word in capitals after the number does not count as a
 * group.
 */
const pattern = Object.entries(countriesByLength)
  .map(([length, countries]) => {
    const prefix = countries.replaceAll(" ", "|");
    return String.raw`(?:${prefix})[ -]?\d[ -]?\d(?:[ -]?[A-Z0-9]){${Number(length) - 4}}`;
  })
  .join("|");

export const iban: EntityDetector = {
  id: "iban",
  entityType: "IBAN_CODE",
  label: "IBAN",
  category: "pii",
  description: "An international bank account number: the country's length, remainder 1 by 97.",
  keywords: [],
  pattern: String.raw`\b(?:${pattern})\b`,
  caseInsensitive: true,
  score: 0.95,
  validate: (value) => {
    const text = compact(value);
    return mod97(text.slice(4) + text.slice(0, 4)) === 1;
  },
  positives: [
    ["IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFF", "DE89 3704 0044 0532 0130 00"],
    ["pay GB29NWBK60161331926819, thanks", "GB29NWBK60161331926819"],
    ["fr14 2004 1010 0505 0001 3m02 606", "fr14 2004 1010 0505 0001 3m02 606"],
    ["NO93-8601-1117-947", "NO93-8601-1117-947"],
  ],
  negatives: ["DE89 3704 0044 0532 0130 01", "GB29 NWBK 6016", "US64SVBKUS6S3300958879X"],
};
