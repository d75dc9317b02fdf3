import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { maskedTailCharsMin } from "../../../src/contract/limits.ts";
import { CustomPatternCache } from "../../../src/detectors/custom-pattern-cache.ts";
import { mask, maskRules, type MaskedText } from "../../../src/workers/redact/mask.ts";
import { TextSearch } from "../../../src/workers/redact/text-search.ts";
import { entityScans } from "../../../src/workers/report/entity-scan.ts";

const tools = { cache: new CustomPatternCache(), entities: entityScans() };

function masked(text: string, isCut = false): MaskedText {
  return mask(text, isCut, new TextSearch(maskRules, tools));
}

const card = "4111 1111 1111 1111";
const mail = "ada@example.org";
const said = (content: unknown) =>
  JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content }] });

describe("JSON", () => {
  it.each<[name: string, text: string, shown: string]>([
    ["nothing found stays as it is", said("hello, wörld"), said("hello, wörld")],
    ["strings", said(`Mail ${mail}, card ${card}`), said("Mail <EMAIL>, card <CREDIT_CARD>")],
    ["escapes", said("Mail ~").replace("~", "ada\\u0040example.org"), said("Mail <EMAIL>")],
    ["numbers", '{"n":4111111111111111}', '{"n":"<CREDIT_CARD>"}'],
    ["keys", `{"${mail}":1}`, '{"<EMAIL>":1}'],
    ["a value by its key", '{"password":"Xk29!fLq0vB7zz"}', '{"password":"<PASSWORD>"}'],
    [
      "media",
      said([{ image_url: { url: `data:image/png;base64,${"QUJD".repeat(100)}` } }]),
      said([{ image_url: { url: "<MEDIUM>" } }]),
    ],
    ["what only begins as JSON", "[1] 4111111111111111", "[1] <CREDIT_CARD>"],
  ])("%s", (_name, text, shown) => {
    expect(masked(text).text).toBe(shown);
  });

  it("counts by label", () => {
    expect(masked(said(`${mail} and bob@example.org, ${card}`)).found).toEqual({
      EMAIL: 2,
      CREDIT_CARD: 1,
    });
  });
});

test("text is masked as a whole", () => {
  expect(masked(`To: ${mail}\ncard\n${card}\n`).text).toBe("To: <EMAIL>\ncard\n<CREDIT_CARD>\n");
});

type Event = (part: string) => string;
const events: readonly (readonly [name: string, event: Event])[] = [
  ["chat", (content) => JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content } }] })],
  [
    "messages",
    (text) => JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "x", text } }),
  ],
  [
    "responses",
    (delta) => JSON.stringify({ type: "response.output_text.delta", item_id: "m", delta }),
  ],
  ["unknown", (text) => JSON.stringify({ candidates: [{ parts: [{ text }] }] })],
  ["plain text", (text) => text],
];

describe.each(events)("a stream of events: %s", (_name, event) => {
  const streamOf = (parts: readonly string[], field = "data: ") =>
    parts.map((part) => `${field}${event(part)}\n\n`).join("");

  it("finds what its events spell together, however they cut it", () => {
    const secret = `card ${card} ok`;
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: secret.length - 1 }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (found) => {
        const ends = [...found.toSorted((a, b) => a - b), secret.length];
        const parts = ends.map((end, i) => secret.slice(ends[i - 1] ?? 0, end));
        const shown = masked(streamOf(parts));
        expect(shown.text.replaceAll(/[^0-9]/g, "")).not.toContain("1111");
        expect(shown.found).toEqual({ CREDIT_CARD: 1 });
      }),
      { numRuns: 60 },
    );
  });

  it("leaves the rest as it is", () => {
    const text = streamOf(["hello", ", ", "wörld"]);
    expect(masked(text)).toEqual({ kind: "masked", text, found: {} });
  });
});

test("texts of two choices are not mixed", () => {
  const chunk = (index: number, content: string) =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content } }] })}\n\n`;
  const parts = ["ada@", "bob@", "example", "example", ".org", ".com"];
  const text = parts.map((part, i) => chunk(i % 2, part)).join("");
  expect(masked(text).found).toEqual({ EMAIL: 2 });
});

test("lines of JSON", () => {
  expect(masked(`{"a":"ada\\u0040example.org"}\n{"b":"${card}"}\n`).text).toBe(
    '{"a":"<EMAIL>"}\n{"b":"<CREDIT_CARD>"}\n',
  );
});

describe("a cut body", () => {
  const bodyBefore = `{"messages":[{"content":"${"word ".repeat(2_000)}`;
  const endings = ["", mail, card, "ada\\u0040example.org", "\\u00", "\\", `"},{"a`, `"},{"a":41`];

  it.each(endings)("hides its last characters: %j", (ending) => {
    const text = `${bodyBefore}${mail} ${ending}`;
    const shown = masked(text, true);
    expect(shown.text.length).toBe(text.length - maskedTailCharsMin);
    expect(text.startsWith(shown.text)).toBe(true);
  });

  it.each(endings)("masks what stands before them: %j", (ending) => {
    const text = `{"messages":[{"content":"ada\\u0040example.org ${"word ".repeat(2_000)}${ending}`;
    expect(masked(text, true).text.startsWith('{"messages":[{"content":"<EMAIL> word')).toBe(true);
  });

  it("a value on the edge is hidden whole", () => {
    const text = `${bodyBefore}${card}${" x".repeat(maskedTailCharsMin / 2 - 4)}`;
    const shown = masked(text, true);
    expect(shown.text.endsWith("word <CREDIT_CARD>")).toBe(true);
  });

  it("a stream's last event too", () => {
    const event = `data: ${JSON.stringify({ delta: { text: "word ".repeat(2_000) } })}\n\n`;
    const text = `data: {"t":"ada\\u0040example.org"}\n\n${event}`.slice(0, -300);
    const shown = masked(text, true);
    expect(shown.text.startsWith('data: {"t":"<EMAIL>"}')).toBe(true);
    expect(shown.text.length).toBeLessThan(text.length - maskedTailCharsMin + 1);
  });
});

test("a search that can't be completed gives no text", () => {
  const search = {
    whole: () => {
      throw new Error("no verdict");
    },
  };
  expect(() => mask("hello", false, search)).toThrow("no verdict");
});
