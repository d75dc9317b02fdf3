import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entityDetectors } from "../../src/detectors/catalog.ts";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import { loadNameFinder } from "../../src/detectors/names/name-finder.ts";
import { withoutOverlaps } from "../../src/detectors/overlap.ts";
import { redact } from "../../src/detectors/redact.ts";
import { withEscapesRead } from "../../src/detectors/spelled-escapes.ts";
import { cpuMsOf } from "../support/cpu-time.ts";

const engine = new EntityEngine(entityDetectors);
const names = loadNameFinder();

function redacted(text: string): string {
  const patterns = engine.scan(text, {
    categories: new Set(["pii", "phi", "credential"]),
    threshold: null,
  });
  const found = names.find(text, Infinity).matches.filter(({ score }) => score >= 0.5);
  return redact(text, withoutOverlaps([...patterns, ...found]));
}

const mark = "\ufe0f";

describe("withEscapesRead", () => {
  test.each([
    ["one\\ntwo", "one\n two"],
    ["one\\ttwo\\r\\n", "one\t two\r \n "],
    ["one\\\\ntwo", "one\n  two"],
    ['{\\"by\\":\\"Ada\\"}', '{ "by" : "Ada" }'],
    ["Ren\\u00e9e", `Ren\u00e9${mark.repeat(5)}e`],
    ["Ada \\u003cada@example.com\\u003e", "Ada      <ada@example.com>     "],
    ["\\ud83d\\ude00", " ".repeat(12)],
    ["[\\u1FC6-\\u1FCC\\u1FD0]", `[${" ".repeat(6)}-${" ".repeat(12)}]`],
    ["\\u043d-\\u041f", `\u043d${mark.repeat(5)}-\u041f${mark.repeat(5)}`],
    ["\\d+ \\w \\u0041 C:\\Users", "\\d+ \\w \\u0041 C:\\Users"],
    ["no escape", "no escape"],
  ])("%j is %j", (text, read) => {
    expect(withEscapesRead(text)).toBe(read);
  });

  test("keeps every offset", () => {
    const spelled = fc.array(fc.constantFrom("\\", "n", '"', "u00e9", "u003c", "a", " ", "é"));
    fc.assert(
      fc.property(spelled, (parts) => {
        const text = parts.join("");
        expect(withEscapesRead(text)).toHaveLength(text.length);
      }),
    );
  });

  test("reads a million backslashes in no time", () => {
    const text = "\\".repeat(1_000_000);
    expect(cpuMsOf(() => expect(withEscapesRead(text)).toBe(text))).toBeLessThan(5_000);
  });
});

describe("values in JSON in a text", () => {
  const value = {
    rows: "id\tname\n7\tAmelia Thornbury\t+44 7911 204518\n8\tKwame Mensah\tkwame@example.com\n",
    header: "By: Marta Lindqvist <marta@example.com>\nCc: lee@example.com",
    nested: JSON.stringify({ name: "Jonas Lindqvist", log: "seen\nmira@example.com\tonce" }),
  };
  const expected = {
    rows: "id\tname\n7\t<PERSON>\t<PHONE>\n8\t<PERSON>\t<EMAIL>\n",
    header: "By: <PERSON> <<EMAIL>>\nCc: <EMAIL>",
    nested: JSON.stringify({ name: "<PERSON>", log: "seen\n<EMAIL>\tonce" }),
  };

  test("are replaced, and it is JSON still", () => {
    const text = `exit 0, stdout: ${JSON.stringify(value)}`;
    const json = redacted(text).slice("exit 0, stdout: ".length);
    expect(JSON.parse(json)).toEqual(expected);
  });

  test("so where it escapes what HTML would read", () => {
    const text = JSON.stringify(value.header).replace(/[<>]/g, (sign) =>
      sign === "<" ? "\\u003c" : "\\u003e",
    );
    expect(JSON.parse(redacted(text))).toBe(expected.header);
  });

  test("so where it escapes what is not ASCII", () => {
    const text = String.raw`{"name": "J\u00f6rg Wei\u00dfm\u00fcller", "city": "K\u00f6ln"}`;
    expect(redacted(text)).toBe('{"name": "<PERSON>", "city": "<LOCATION>"}');
  });
});
