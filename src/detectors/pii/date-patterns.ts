import { isCalendarDate } from "../checksums/calendar.ts";

const year = String.raw`(?:1[89]|2[01])\d{2}`;
const month = String.raw`(?:0?[1-9]|1[0-2])`;
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;

/** Year, month, day with one kind of separator. */
const yearFirst = `${year}(?:-${month}-${day}|/${month}/${day}|[.]${month}[.]${day})`;

/**
 * ISO 8601's basic format. Its time is required, because without it the date looks like a number.
 */
const basic = String.raw`${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T\d{4}(?:\d{2})?Z?`;

/** Day, month, year or month, day, year, the year in four digits or two. */
const yearLast =
  String.raw`\d{1,2}(?:/\d{1,2}/|-\d{1,2}-|[.] ?\d{1,2}[.] ?)` + String.raw`(?:${year}|\d{2})`;

/** A date in digits, RE2 syntax, no groups. */
export const numericDate = String.raw`\b(?:${yearFirst}|${yearLast}|${basic})`;

/**
 * English names in their usual cases (not "may" and "march", which are verbs), then names of other
 * languages.
 */
const months = [
  "[Jj]anuary|[Ff]ebruary|March|[Aa]pril|May|[Jj]une|[Jj]uly|[Aa]ugust|[Ss]eptember|[Oo]ctober",
  "[Nn]ovember|[Dd]ecember|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec",
  "JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER",
  "JAN|FEB|MAR|APR|JUN|JUL|AUG|SEP|OCT|NOV|DEC",
  "Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Dezember",
  "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
  "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
  "gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre",
  "janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro",
  "januari|februari|maart|mei|augustus",
].join("|");

const weekday =
  "(?:(?:Mon|Tues?|Wed(?:nes)?|Thur?s?|Fri|Sat(?:ur)?|Sun)(?:day)?|Montag|Dienstag|Mittwoch|" +
  "Donnerstag|Freitag|Samstag|Sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|" +
  "martes|miércoles|jueves|viernes|sábado|domingo)";

const ordinal = String.raw`(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|[.])?`;

/** A date with the month's name, RE2 syntax, no groups. For patterns that respect case. */
export const namedDate =
  String.raw`\b(?:${weekday}[.,]{0,2} (?:the |den |le )?)?(?:` +
  String.raw`${ordinal}(?: of)?(?: de| di)? ?(?:${months})\b[.]?(?:,? (?:de |del |of )?${year}\b)?|` +
  String.raw`(?:${months})\b[.]? ${ordinal}\b(?:,? ?${year}\b)?|` +
  String.raw`(?:${months})\b[.]?,? (?:of |de |del )?${year}\b|` +
  String.raw`\d{1,2}[-/](?i:${months})[-/](?:${year}|\d{2})\b|\d{1,2}-(?i:${months})\b|(?:${months})-(?:${year}|\d{2})\b)`;

/** Clock time that follows a date, RE2 syntax, no groups. */
export const timeOfDay =
  String.raw`(?:(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|T\d{2})` +
  String.raw`(?:Z| ?[+-]\d{2}(?::?\d{2})?| UTC| ?[AaPp][Mm])?)?`;

/** Whether a date in digits exists in any of the usual orders. */
export function isNumericDate(value: string): boolean {
  if (/^\d{8}T/.test(value)) return true;
  const [a = 0, b = 0, c = 0] = value.split(/[-/.T ]+/).map(Number);
  if (a > 31) return isCalendarDate(a, b, c);
  const fullYear = c < 100 ? 2000 + c : c;
  return isCalendarDate(fullYear, b, a) || isCalendarDate(fullYear, a, b);
}
