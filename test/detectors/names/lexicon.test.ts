import fc from "fast-check";
import { expect, test } from "vitest";
import { layOut, Lexicon } from "../../../src/detectors/names/lexicon.ts";

test("every listed word is found with its facts", () => {
  const entry = fc.tuple(fc.integer({ min: 1 }), fc.integer({ min: 1, max: 0xffff }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40, minLength: 1 }), (entries) => {
      const listed = new Map(entries);
      const lexicon = new Lexicon(layOut(listed, 6));
      for (const [hash, facts] of listed) {
        // Two hashes may share a place and a fingerprint; then the first one's facts are given.
        const found = lexicon.look(hash);
        expect([...listed.values()]).toContain(found);
        if (listed.size === 1) expect(found).toBe(facts);
      }
    }),
  );
});

test("few words that are not listed are taken for others", () => {
  const listed = new Map(Array.from({ length: 3_000 }, (_, at) => [at * 7_919 + 1, 1] as const));
  const lexicon = new Lexicon(layOut(listed, 12));
  let mistaken = 0;
  for (let at = 0; at < 100_000; at++) mistaken += lexicon.look(0x4000_0000 + at * 31);
  expect(mistaken).toBeLessThan(1_000);
});

test("a table that would be too full to search is refused", () => {
  const listed = new Map(Array.from({ length: 60 }, (_, at) => [at + 1, 1] as const));
  expect(() => layOut(listed, 6)).toThrow(RangeError);
});
