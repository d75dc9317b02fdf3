import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Skimmer, type SkimmedObject } from "../../src/demo-provider/skimmer.ts";

function skim(bytes: Buffer, cuts: readonly number[] = []): SkimmedObject | null {
  const skimmer = new Skimmer();
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const at = Math.min(cut, bytes.length);
    skimmer.push(bytes.subarray(from, at));
    from = at;
  }
  skimmer.push(bytes.subarray(from));
  return skimmer.end();
}

// What a careless reader trips over, and little else, so that short strings are dense with it.
const trap = fc.constantFrom(
  "a",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  " ",
  "\n",
  "ü",
  "🎉",
  "\ud83d",
);
const traps = fc.string({ unit: trap, maxLength: 12 });
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    traps,
    fc.constantFrom(null, true, 0, -1.5e300),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(traps, tie("value"), { maxKeys: 3 }),
  ),
})).value;

describe("Skimmer", () => {
  test("finds every member of any object, however it is cut", () => {
    const object = fc.dictionary(traps, value, { maxKeys: 6 });
    const cuts = fc.array(fc.nat(400), { maxLength: 8 });
    fc.assert(
      fc.property(object, cuts, fc.constantFrom(undefined, 1), (value, positions, indent) => {
        const json = JSON.stringify(value, null, indent);
        const skimmed = skim(Buffer.from(json), positions);
        const found = Object.entries(value).map(([name]): [string, unknown] => [
          name,
          JSON.parse(skimmed?.members.get(name) ?? "null"),
        ]);
        const expected: unknown = JSON.parse(json);
        expect(Object.fromEntries(found)).toEqual(expected);
        expect(skimmed?.members.size).toBe(Object.keys(value).length);
        expect(skimmed?.oversized.size).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test("names a large member, keeps the small ones around it", () => {
    const messages = [{ role: "user", content: `\\"${'x\\"{['.repeat(40_000)}` }];
    const json = JSON.stringify({ model: "echo", messages, stream: true });
    const skimmed = skim(Buffer.from(json), [3, 12, 40, 41, 42, 60_000, 60_001, 120_000]);
    expect(skimmed).toEqual({
      members: new Map([
        ["model", `"echo"`],
        ["stream", "true"],
      ]),
      oversized: new Set(["messages"]),
    });
  });

  test.each(["[", `{"a":1`, `{"a":"b}`, `{"a"}`, `{"a","b":1}`, `{"\\x":1}`, "}", `{"a":1}}`])(
    "%j is not an object",
    (json) => {
      expect(skim(Buffer.from(json))).toBeNull();
    },
  );

  test("many short strings in one chunk are read once, not once per string", () => {
    // Quadratic reading would take minutes here and run into the test's timeout.
    const chunk = Buffer.from(`{"a":[${'"x",'.repeat(4_000_000)}1],"b":2}`);
    expect(skim(chunk)?.members.get("b")).toBe("2");
  });
});
