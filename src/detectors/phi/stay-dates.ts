import { namedDate, numericDate } from "../pii/date-patterns.ts";

/** From the announcing word to the date, and the date as group 1. */
const toDate =
  String.raw`["'*:=)(,\s-]{0,6}(?:(?:is|was|on|the|to|from|home|hospital|date|of)\b[: ]{1,2}){0,3}` +
  String.raw`"?(${numericDate}\b|${namedDate})`;

/** RE2 syntax; group 1 is the date that follows one of the words. `words` has no groups. */
export function dateAfter(words: string): string {
  return String.raw`\b(?:${words})${toDate}`;
}
