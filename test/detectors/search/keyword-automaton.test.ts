import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeywordAutomaton } from "../../../src/detectors/search/keyword-automaton.ts";

type Found = readonly [list: number, end: number, lengthBytes: number];

function found(lists: readonly (readonly string[])[], text: string): Found[] {
  const all: Found[] = [];
  new KeywordAutomaton(lists).scan(Buffer.from(text), (...one) => all.push(one));
  return all.toSorted(inOrder);
}

function inOrder(a: Found, b: Found): number {
  return a[1] - b[1] || a[0] - b[0] || a[2] - b[2];
}

describe("KeywordAutomaton", () => {
  test.each([
    ["ASCII in any case", [["key"]], "a KeY", [[0, 5, 3]]],
    [
      "a word in a word",
      [["api_key", "key"], ["pi"]],
      "api_key",
      [
        [1, 3, 2],
        [0, 7, 3],
        [0, 7, 7],
      ],
    ],
    [
      "one word in two lists",
      [["x@"], ["x@"]],
      "x@",
      [
        [0, 2, 2],
        [1, 2, 2],
      ],
    ],
    [
      "a word that overlaps itself",
      [["aa"]],
      "aaa",
      [
        [0, 2, 2],
        [0, 3, 2],
      ],
    ],
    [
      "lower, upper and capitalized letters beyond ASCII",
      [["número"]],
      "número NÚMERO Número",
      [
        [0, 7, 7],
        [0, 15, 7],
        [0, 23, 7],
      ],
    ],
    ["a first letter beyond ASCII", [["überweisung"]], "Überweisung", [[0, 12, 12]]],
    [
      "characters of three and four bytes",
      [["电话"], ["😀"]],
      "电话😀",
      [
        [0, 6, 6],
        [1, 10, 4],
      ],
    ],
    ["nothing", [["key"]], "ke y", []],
    ["no keywords at all", [], "text", []],
  ] as const)("%s", (_, lists, text, expected) => {
    expect(found(lists, text)).toEqual(expected);
  });

  test("an empty keyword is a mistake", () => {
    expect(() => new KeywordAutomaton([[""]])).toThrow("empty");
  });

  test("finds what a naive search finds", () => {
    const word = fc.stringMatching(/^[ab_]{1,4}$/);
    const lists = fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(lists, fc.stringMatching(/^[abAB_]{0,40}$/), (words, text) => {
        expect(found(words, text)).toEqual(naive(words, text.toLowerCase()));
      }),
    );
  });
});

function naive(lists: readonly (readonly string[])[], text: string): Found[] {
  const all: Found[] = [];
  for (const [list, words] of lists.entries()) {
    for (const word of words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
        all.push([list, at + word.length, word.length]);
      }
    }
  }
  return all.toSorted(inOrder);
}
