import { isShortDate } from "../checksums/calendar.ts";
import type { EntityDetector } from "../entity.ts";

export const fiPersonalIdentityCode: EntityDetector = {
  id: "fi-personal-identity-code",
  entityType: "FI_PERSONAL_IDENTITY_CODE",
  label: "PERSONAL_ID",
  category: "pii",
  description: "A Finnish personal identity code, by its birth date and control character.",
  keywords: [],
  pattern: String.raw`\b(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]\b`,
  caseInsensitive: true,
  score: 0.85,
  validate: (value) => {
    const text = value.toUpperCase();
    const [day, month, year] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number);
    if (!isShortDate(year ?? 0, month ?? 0, day ?? 0) || Number(text.slice(7, 10)) < 2)
      return false;
    const number = Number(text.slice(0, 6) + text.slice(7, 10));
    return "0123456789ABCDEFHJKLMNPRSTUVWXY".charAt(number % 31) === text.charAt(10);
  },
  context: {
    words: ["henkilötunnus", "hetu", "personbeteckning", "personal identity code", "finnish id"],
    score: 0.97,
  },
  positives: [
    ["hetu 120584-4820", "120584-4820"],
    ["120504A482B", "120504A482B"],
  ],
  negatives: ["310284-482A", "120584-4821", "120584-001X"],
};
