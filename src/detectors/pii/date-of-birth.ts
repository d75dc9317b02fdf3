import type { EntityDetector } from "../entity.ts";
import { namedDate, numericDate } from "./date-patterns.ts";

/** The text between the word and the date. */
const announcement =
  String.raw`(?:[Дд]ата (?:рождения|народження)|[Рр]одил(?:ся|ась)|出生日期|生年月日|\b(?:(?:date|day|year)[ _-]?of[ _-]?birth|birth[ _-]?(?:date|day)|[Dd]\.?[Oo]\.?[Bb]\b\.?|` +
  String.raw`[Bb]orn|(?:Date|Day)[ _-]?[Oo]f[ _-]?[Bb]irth|(?:DATE|Date) (?:OF|of) (?:BIRTH|Birth)|` +
  String.raw`Birth[ _-]?[Dd](?:ate|ay)|birthDa(?:te|y)|dateOfBirth|` +
  String.raw`[Gg]eboren|[Gg]eb\.|[Gg]eburtsdatum|[Nn]ée?|[Dd]ate de naissance|` +
  String.raw`[Ff]echa de nacimiento|[Nn]acid[oa]|[Dd]ata di nascita|[Nn]at[oa]|` +
  String.raw`[Dd]ata de nascimento|[Nn]ascid[oa]|[Gg]eboortedatum|[Ss]yntynyt|[Ss]yntymäaika|` +
  String.raw`[Dd]ata urodzenia|[Uu]rodzon[ya]|[Uu]r\.|[Ff]ödd|[Ff]ödelsedatum|[Ff]ødt|[Ff]ødselsdato|` +
  String.raw`[Dd]atum narození|[Nn]arozen[aý]?|[Dd]oğum tarihi|[Ss]zületési (?:idő|dátum)|[Dd]ata na(?:ș|ş|s)terii))`;

/**
 * A date without separators, as in records and forms. The year must be a possible year of birth.
 */
const monthDay = String.raw`(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`;
const dayMonth = String.raw`(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])`;
const bornYear = String.raw`(?:19|20)\d{2}`;
const compactDate = String.raw`\b(?:${bornYear}${monthDay}|(?:${monthDay}|${dayMonth})${bornYear})`;

const eastAsianDate = String.raw`\b${bornYear} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]`;

export const dateOfBirth: EntityDetector = {
  id: "date-of-birth",
  entityType: "DATE_OF_BIRTH",
  label: "DOB",
  category: "pii",
  description: "A date that the text calls a date of birth.",
  keywords: [
    "birth",
    "dob",
    "d.o.b",
    "born",
    "gebo",
    "geb",
    "né",
    "naci",
    "nasci",
    "nat",
    "naissance",
    "synty",
    ...["urodz", "ur.", "född", "födelse", "født", "fødsel", "naroz", "doğum", "születési"],
    ...["nașterii", "naşterii", "nasterii", "рожд", "народж", "родил", "出生日期", "生年月日"],
  ],
  pattern:
    String.raw`${announcement}["'*:=)(>,\s-]{0,6}(?:(?:is|was|on|the|le|el|il|am|em|op|den|on the|day)\b[: ]{1,2}){0,2}` +
    String.raw`"?((?:${numericDate}|${compactDate})\b|${namedDate}|${eastAsianDate})`,
  group: 1,
  score: 0.9,
  positives: [
    ["DOB: 04/09/1991, male", "04/09/1991"],
    ["She was born on April 9, 1991 in", "April 9, 1991"],
    ['{"dateOfBirth": "1991-04-09"}', "1991-04-09"],
    ["geboren am 09.04.1991", "09.04.1991"],
    ["né le 9 avril 1991", "9 avril 1991"],
    ["Date de naissance : 09/04/1991", "09/04/1991"],
    ["生年月日: 1991年4月9日", "1991年4月9日"],
    ["Fecha de nacimiento: 09/04/1991", "09/04/1991"],
    ["geboren op 9 april 1991", "9 april 1991"],
    ["data urodzenia: 09.04.1991", "09.04.1991"],
    ["(ur. 09.04.1991)", "09.04.1991"],
    ["född den 1991-04-09", "1991-04-09"],
    ["født 09.04.1991", "09.04.1991"],
    ["Дата рождения: 09.04.1991", "09.04.1991"],
    ["Doğum tarihi: 09.04.1991", "09.04.1991"],
    ["Her date of birth is 9 Apr 1991.", "9 Apr 1991"],
    ["<dob>19910409</dob>", "19910409"],
    ["dob=04091991&city=", "04091991"],
  ],
  negatives: [
    "ordered on 04/09/1991",
    "a natural 04/09/1991",
    "born free",
    "DOB unknown",
    "dob=19919999",
    "see our. 09.04.1991",
  ],
};
