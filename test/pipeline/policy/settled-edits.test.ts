import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editText } from "../../../src/json/escaped-text.ts";
import { SettledEdits } from "../../../src/pipeline/policy/settled-edits.ts";
import { redactions, type Finding } from "../../../src/workers/redact/finding.ts";

const redact = { kind: "custom_pattern", action: "redact" } as const;
const text = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A match, and how many characters before they are decided on its pattern has found it. */
const anyFinding = fc
  .record({
    start: fc.nat(text.length - 12),
    length: fc.integer({ min: 1, max: 12 }),
    token: fc.constantFrom("<A>", "<B>", ""),
    lead: fc.nat(20),
  })
  .map(({ start, length, token, lead }) => {
    const finding: Finding = { ...redact, token, start, end: start + length };
    return { finding, lead };
  });
const anyCuts = fc
  .array(fc.nat(text.length), { maxLength: 12 })
  .map((cuts) => [...cuts.toSorted((a, b) => a - b), text.length]);

describe("the edits of a text that goes on in parts", () => {
  it("are those of the whole, in whatever steps and parts it goes", () => {
    const all = fc.array(anyFinding, { maxLength: 12 });
    fc.assert(
      fc.property(all, anyCuts, anyCuts, (found, steps, parts) => {
        const edits = new SettledEdits();
        let edited = "";
        let [before, gone] = [-Infinity, 0];
        for (const decided of steps) {
          const isFound = (at: number, { finding, lead }: (typeof found)[number]): boolean =>
            finding.start < at + lead;
          const now = found.filter((one) => isFound(decided, one) && !isFound(before, one));
          edits.settle(
            now.map(({ finding }) => finding),
            decided,
          );
          before = decided;
          for (const to of parts.filter((at) => at > gone && at <= decided)) {
            edited += editText(text.slice(gone, to), edits.within(gone, to));
            gone = to;
          }
        }
        const whole = redactions(found.map(({ finding }) => finding));
        expect(edited).toBe(editText(text, whole));
      }),
      { numRuns: 2_000 },
    );
  });

  it("are looked at a few times each, however many parts the text has", () => {
    const count = 500;
    let looks = 0;
    const counted = (place: number): Finding => ({
      ...redact,
      token: "<A>",
      get start() {
        looks += 1;
        return place;
      },
      end: place + 5,
    });
    const edits = new SettledEdits();
    const ascending = Array.from({ length: count }, (_, i) => counted(10 * i));
    edits.settle(ascending, 10 * count);
    let edited = 0;
    for (let at = 0; at < 10 * count; at += 2) edited += edits.within(at, at + 2).length;
    // Each covers three parts.
    expect(edited).toBe(3 * count);
    expect(looks).toBeLessThan(20 * count);
  });
});
