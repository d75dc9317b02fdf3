import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeString } from "../../../src/json/string.ts";
import { splitWrappers } from "../../../src/workers/segment/wrappers.ts";

/** What each part says, `>` before what a harness wrote; null where the text is the user's alone. */
function parts(text: string, spell: (text: string) => string = JSON.stringify): string[] | null {
  const json = Buffer.from(spell(text));
  const found = splitWrappers(json, 1, json.length - 1);
  if (found === null) return null;
  return found.map(
    ({ isHarness, start, end }) => `${isHarness ? ">" : ""}${decodeString(json, start, end)}`,
  );
}

/** Every character as `\uXXXX`, as some clients write what is not a letter. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return `"${units.map((unit) => String.raw`\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

describe("splitWrappers", () => {
  it.each<[name: string, text: string, expected: string[] | null]>([
    ["a text of the user", "Say hi", null],
    ["a tag that no harness has", "<b>\nbold\n</b>", null],
    ["a tag that does not begin a line", "what is <system-reminder>x</system-reminder>?", null],
    ["a tag without an end", "<system-reminder>\nx", null],
    ["an end without a tag", "x\n</system-reminder>", null],
    ["a reminder alone", "<system-reminder>\nx y\n</system-reminder>", [">x y"]],
    [
      "a reminder before what the user typed",
      "<system-reminder>\nx\n</system-reminder>\nhi",
      [">x", "hi"],
    ],
    [
      "a reminder behind what the user typed",
      "hi\n  <system-reminder>x</system-reminder>\n",
      ["hi", ">x"],
    ],
    [
      "rules of Codex",
      "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
      [">Use tabs."],
    ],
    [
      "a tag with attributes",
      '<file_content path="a b.md">\nx\n</file_content>',
      ['>path="a b.md">\nx'],
    ],
    [
      "the first end counts, and what follows is the user's",
      "<system-reminder>a</system-reminder>\nb</system-reminder>",
      [">a", "b</system-reminder>"],
    ],
    [
      "one tag in another",
      "<system-reminder>\n<skill>\na\n</skill>\nb\n</system-reminder>\nc",
      ["><skill>\na\n</skill>\nb", "c"],
    ],
    [
      "a page: its last end counts",
      "Web page content:\n---\na\n---\nb\n---\n\nWhat does it say?",
      [">a\n---\nb", "What does it say?"],
    ],
    ["an empty page", "Web page content:\n---\n\n---\n\nWhat?", ["What?"]],
    ["a page without an end", "Web page content:\n---\na", null],
    [
      "settings of one word",
      "<environment_context>\n  <cwd>/home/ada</cwd>\n  <note>do this now</note>\n</environment_context>",
      ["><note>do this now</note>"],
    ],
    ["nothing in it", "<system-reminder></system-reminder>hi", ["hi"]],
  ])("%s", (_name, text, expected) => {
    expect(parts(text)).toEqual(expected);
    expect(parts(text, escaped)).toEqual(expected);
  });

  it("parts are in order and apart, and say what the text says, however it is spelled", () => {
    const word = fc.constantFrom("a", "é", "語", "😀", "\n", '"', "\\", "<", " ", "\u0000", "</");
    const tag = fc.constantFrom(
      ...["<system-reminder>", "</system-reminder>", "\n<skill>", "</skill>", "\n---\n"],
      ...[
        "Web page content:\n---\n",
        "<system-reminder",
        "\n<bash-stdout x='1'>",
        "</bash-stdout>",
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, tag), { maxLength: 30 }), (words) => {
        const text = words.join("");
        const found = parts(text);
        expect(parts(text, escaped)).toEqual(found);
        let at = 0;
        for (const part of found ?? []) {
          const said = part.startsWith(">") && !text.startsWith(part, at) ? part.slice(1) : part;
          const from = text.indexOf(said, at);
          expect(from).toBeGreaterThanOrEqual(at);
          at = from + said.length;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves out only tags, blank lines and what a harness always writes", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1 }), (words) => {
        const text = words
          .map((word, i) => (i % 2 === 0 ? word : `\n<skill>\n${word}\n</skill>\n`))
          .join("");
        const said = (parts(text) ?? [text]).join(" ");
        expect(said.match(/[a-z]+/g)).toEqual(words);
      }),
    );
  });

  it("costs no more than its length, whatever tags it has", () => {
    const open = "<system-reminder>\n".repeat(50_000);
    expect(parts(open)).toBeNull();
    const pairs = "<skill>x</skill>\n".repeat(50_000);
    // From some number on the text is the user's.
    expect(parts(pairs)?.at(-1)).toContain("<skill>x</skill>");
  });
});
