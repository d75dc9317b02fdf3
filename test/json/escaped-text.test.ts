import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editEscaped, editText, Spelling } from "../../src/json/escaped-text.ts";

/** A JSON string's spelling, each code unit escaped or not as it likes. */
const spelled = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "é",
        "😀",
        "\\n",
        '\\"',
        "\\\\",
        "\\/",
        "\\u0041",
        "\\ud83d\\ude00",
        "\\ud83d",
      ),
      fc.string({ maxLength: 3 }).map((text) => JSON.stringify(text).slice(1, -1)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const valueOf = (raw: string): string => String(JSON.parse(`"${raw}"`));

describe("an edit in a JSON string's spelling", () => {
  it("says what the edit in the text says, and leaves the rest as it is spelled", () => {
    const cases = fc.tuple(spelled, fc.nat(20), fc.nat(20), fc.string());
    fc.assert(
      fc.property(cases, ([raw, one, other, replacement]) => {
        const text = valueOf(raw);
        const start = Math.min(one, other, text.length);
        const end = Math.min(Math.max(one, other), text.length);
        const edit = { start, end, replacement };
        const edited = editEscaped(raw, [edit]);
        expect(valueOf(edited)).toBe(editText(text, [edit]));
        const spelling = new Spelling(raw);
        expect(edited.startsWith(raw.slice(0, spelling.offset(start)))).toBe(true);
        expect(edited.endsWith(raw.slice(spelling.offset(end)))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
