import { expect, test } from "vitest";
import { gap, hashOfWord, shape, NameTokens } from "../../../src/detectors/names/tokens.ts";

function read(text: string): NameTokens {
  const tokens = new NameTokens();
  tokens.read(text, 0, text.length);
  return tokens;
}

function first(text: string): number | undefined {
  return read(text).shape[0];
}

test.each([
  ["word", shape.lower],
  ["Oslo", shape.capitalized],
  ["Ångström", shape.capitalized],
  ["McDonald", shape.capitalized],
  ["DeVito", shape.capitalized],
  ["NASA", shape.allCapitals],
  ["J", shape.initial],
  ["camelCase", shape.mixed],
  ["HttpClient", shape.mixed],
  ["2041", shape.number],
  ["user_name", shape.identifier],
  ["x2", shape.identifier],
  [",", shape.punctuation],
  ["漢字", shape.uncased],
  ["Ана", shape.capitalized],
])("the shape of %s", (word, expected) => {
  const tokens = read(word);
  expect(tokens.count).toBe(1);
  expect(tokens.shape[0]).toBe(expected);
  expect(tokens.end[0]).toBe(word.length);
});

test.each([
  ["a b", gap.space],
  ["a   b", gap.wide],
  ["a\tb", gap.wide],
  ["a\nb", gap.line],
  ["a\r\nb", gap.line],
  ["a \n b", gap.line],
  ["a\n\nb", gap.paragraph],
])("the gap in %j", (text, expected) => {
  expect(read(text).gap[1]).toBe(expected);
});

test.each([
  ["OSLO", "oslo"],
  ["Málaga", "malaga"],
  ["Ma\u0301laga", "malaga"],
  ["Łódź", "lodz"],
  ["Tromsø", "tromso"],
])("%s is spelled like %s", (word, folded) => {
  expect(read(word).hash[0]).toBe(hashOfWord(folded));
  expect(hashOfWord(word)).toBe(hashOfWord(folded));
});

test.each([
  ["a byte order mark", "\ufeff", ""],
  ["a direction mark", "\u200e", ""],
  ["a blank without width", "to \u200b", "to "],
  ["an emoji's variation selector", "\u2764\ufe0f", "\u2764"],
])("%s before a word is no part of it", (_, before, without) => {
  const [marked, plain] = [read(`${before}Reno`), read(`${without}Reno`)];
  expect(marked.count).toBe(plain.count);
  const last = plain.count - 1;
  expect(marked.start[last]).toBe(before.length);
  expect([marked.shape[last], marked.gap[last]]).toEqual([shape.capitalized, plain.gap[last]]);
});

test("half a pair is no letter", () => {
  expect(first("\ud83d")).toBe(shape.punctuation);
});
