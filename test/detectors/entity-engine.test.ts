import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntityEngine, type EntityEngineOptions } from "../../src/detectors/entity-engine.ts";
import type { EntityCategory, EntityDetector } from "../../src/detectors/entity.ts";
import { redact } from "../../src/detectors/redact.ts";

function detector(
  entityType: string,
  pattern: string,
  more: Partial<EntityDetector> = {},
): EntityDetector {
  return {
    id: entityType.toLowerCase(),
    entityType,
    label: entityType,
    category: "pii",
    description: "",
    keywords: [],
    pattern,
    score: 0.9,
    positives: [],
    negatives: [],
    ...more,
  };
}

/** One for each way in which the plan searches. */
const badge = detector("BADGE", String.raw`\bBDG-(\d{4})\b`, { keywords: ["bdg-"], group: 1 });
const serial = detector("SERIAL", String.raw`\b\d{4}-\d{5}\b`, { category: "phi" });
const tag = detector("TAG", "<[a-f]{4,12}>", { category: "credential" });
const chain = detector("CHAIN", "~(?:[a-f]{2}!)+");
const mail = detector("MAIL", String.raw`[\w.]{1,20}@[\w.]{1,20}\.\w{2,4}`, { keywords: ["@"] });
const detectors = [badge, serial, tag, chain, mail];
const values: readonly (readonly [text: string, value: string])[] = [
  ["BDG-1234", "1234"],
  ["7782-90417", "7782-90417"],
  ["<decade>", "<decade>"],
  ["~ab!cd!ef!", "~ab!cd!ef!"],
  ["jo.x@mail.example.com", "jo.x@mail.example.com"],
];
const engine = new EntityEngine(detectors);
const everything: EntityEngineOptions = {
  categories: new Set(["pii", "phi", "credential"]),
  threshold: null,
};

function valuesIn(text: string, options = everything, by = engine): string[] {
  return by.scan(text, options).map(({ start, end }) => text.slice(start, end));
}

describe("EntityEngine offsets", () => {
  /** Nothing in it extends a value, and none of it is one. */
  const filler = fc.oneof(
    fc.constantFrom(" ", "\n", "\r\n", "\0", "\t", ", ", " the ", " 12 "),
    fc.constantFrom("😀", "👩‍👩‍👧‍👦", "🇫🇷", "e\u0301", "אבג", "\u202eعربي", "電話", "\ufffd", "ß", "K"),
    fc.constantFrom("\ud83d", "\ude00", "\udfff\ud800"),
    fc
      .string({ unit: "grapheme-composite", maxLength: 5 })
      .map((text) => text.replace(/[\0-\x7f]/g, " ")),
  );
  const fillers = fc.array(filler, { maxLength: 30 }).map((parts) => ` ${parts.join("")} `);
  const planted = fc.array(fc.tuple(fillers, fc.constantFrom(...values)), { maxLength: 6 });

  test("text.slice(start, end) is the value, whatever surrounds it", () => {
    fc.assert(
      fc.property(planted, fillers, (parts, rest) => {
        const text = parts.map(([before, [value]]) => before + value).join("") + rest;
        expect(valuesIn(text)).toEqual(parts.map(([, [, value]]) => value));
      }),
      { numRuns: 300 },
    );
  });

  test("a finding's place in a long text is its place in a short one", () => {
    const word = fc.constantFrom("lorem ", "ipsum 12 ", "dolor é ", "電話 ", "😀 ");
    fc.assert(
      fc.property(
        word,
        fc.nat(70_000),
        fc.constantFrom(...values),
        (filling, before, [text, value]) => {
          const start = filling.repeat(Math.ceil(before / filling.length));
          const whole = `${start}${text} ${filling.repeat(3_000)}`;
          expect(valuesIn(whole)).toEqual([value]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("many values in one long text are all found", () => {
    const text = values.map(([one]) => one).join(" ... ");
    const all = Array.from({ length: 2_000 }, () => values.map(([, value]) => value)).flat();
    expect(valuesIn(`${text} ... `.repeat(2_000))).toEqual(all);
  });

  test("a match longer than a window is whole", () => {
    const value = `~${"ab!".repeat(20_000)}`;
    expect(valuesIn(`x ${value} y`)).toEqual([value]);
  });
});

describe("EntityEngine", () => {
  test("a keyword far away from a value is none of its own", () => {
    const keyed = new EntityEngine([detector("A", String.raw`\b\d{7}\b`, { keywords: ["part"] })]);
    expect(valuesIn("PART 1234567", everything, keyed)).toEqual(["1234567"]);
    expect(valuesIn(`1234567 ${".".repeat(100)} part`, everything, keyed)).toEqual(["1234567"]);
    expect(valuesIn(`part${" ".repeat(1_000)}1234567`, everything, keyed)).toEqual([]);
    expect(valuesIn("1234567", everything, keyed)).toEqual([]);
  });

  test.each([
    ["no-break blanks", "no 4155\u00a0012\u202f34, 😀"],
    ["a no-break hyphen", "no 4155\u2011012 34, é"],
    ["an en dash", "no 4155–012 34"],
    ["a minus sign", "no 4155−012−34"],
    ["wide digits", "😀 no ４１５５　０１２ ３４"],
    ["wide signs", "no 4155－012－34。"],
  ])("a number with %s is found where it stands", (_, text) => {
    const number = detector("N", String.raw`\b\d{4}[ -]\d{3}[ -]\d{2}\b`, {
      validate: (value) => /^[\d -]+$/.test(value),
    });
    const found = valuesIn(text, everything, new EntityEngine([number]));
    expect(found.map((value) => value.normalize("NFKC").replace(/\D/g, ""))).toEqual(["415501234"]);
  });

  test.each([
    [["pii"], ["CHAIN", "BADGE"]],
    [["phi"], ["SERIAL"]],
    [
      ["credential", "phi"],
      ["SERIAL", "TAG"],
    ],
    [[], []],
  ] as const)("of the categories %s: %s", (categories, expected) => {
    const text = "7782-90417 <decade> ~ab! BDG-1234";
    const options = { categories: new Set<EntityCategory>(categories), threshold: null };
    const types = engine.scan(text, options).map(({ detector: { entityType } }) => entityType);
    expect(types).toEqual(expected);
  });

  test.each([
    [null, ["B", "C"]],
    [0, ["A", "B", "C"]],
    [0.5, ["B", "C"]],
    [0.8, ["C"]],
    [1, []],
  ])("the threshold %s: %s", (threshold, expected) => {
    const scored = new EntityEngine([
      detector("A", "aaa", { score: 0.4 }),
      detector("B", "bbb", { score: 0.4, context: { words: ["near"], score: 0.6 } }),
      detector("C", "ccc", { validate: () => 0.8 }),
      detector("D", "ddd", { validate: () => false }),
      detector("E", "eee", { otherwise: ["near"] }),
    ]);
    const matches = scored.scan("aaa ccc ddd bbb near eee", { ...everything, threshold });
    expect(matches.map(({ detector: { entityType } }) => entityType).sort()).toEqual(expected);
  });

  test("validates the value as it stands in the text", () => {
    const seen: string[] = [];
    const by = new EntityEngine([
      detector("A", "<([^>]+)>", { group: 1, validate: (value) => seen.push(value) > 0 }),
    ]);
    expect(redact("é <a\ud800b> 😀", by.scan("é <a\ud800b> 😀", everything))).toBe("é <<A>> 😀");
    expect(seen).toEqual(["a\ud800b"]);
  });

  test("findings can leave a worker", () => {
    const matches = engine.scan("BDG-1234", everything);
    expect(structuredClone(matches)).toEqual([
      {
        detector: { entityType: "BADGE", label: "BADGE", category: "pii" },
        start: 4,
        end: 8,
        score: 0.9,
      },
    ]);
  });

  test("case matters unless the detector says otherwise", () => {
    const by = new EntityEngine([
      detector("A", "abc"),
      detector("B", "xyz", { caseInsensitive: true }),
      detector("C", String.raw`\bn\d{6}\b`, { caseInsensitive: true }),
    ]);
    expect(valuesIn("abc ABC xyz XyZ n123456 N123456", everything, by)).toEqual([
      "abc",
      "xyz",
      "XyZ",
      "n123456",
      "N123456",
    ]);
  });

  test.each(["", " ", "\ud800", "\0".repeat(5_000)])("nothing is found in %j", (text) => {
    expect(engine.scan(text, everything)).toEqual([]);
  });

  test("no detectors find nothing", () => {
    expect(new EntityEngine([]).scan("BDG-1234", everything)).toEqual([]);
  });

  test("past its deadline nothing more is looked for, which is said", () => {
    expect(engine.scanUntil("BDG-1234", everything, 0)).toEqual({ matches: [], complete: false });
    expect(engine.scanUntil("", everything, 0)).toEqual({ matches: [], complete: true });
    expect(engine.scanUntil("BDG-1234", everything, Infinity)).toMatchObject({
      matches: [{ start: 4, end: 8 }],
      complete: true,
    });
    // What was left out of one text is not looked for in the next.
    expect(valuesIn("nothing in it")).toEqual([]);
  });

  test.each(["(", "(?=a)", String.raw`(a)\1`])("refuses the pattern %s", (pattern) => {
    expect(() => new EntityEngine([detector("A", pattern)])).toThrow();
  });
});
