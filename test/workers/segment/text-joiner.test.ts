import { describe, expect, it } from "vitest";
import {
  injectionTextBytesMax,
  injectionTextBytesMin,
  injectionTextOverlapBytes,
} from "../../../src/contract/limits.ts";
import { visitLeaves } from "../../../src/workers/segment/segment.ts";
import { TextJoiner } from "../../../src/workers/segment/text-joiner.ts";

interface Joined {
  readonly segment: string;
  readonly text: string;
  readonly spans: readonly string[];
}

function join(request: unknown): Joined[] {
  return joinJson(Buffer.from(JSON.stringify(request)));
}

function joinJson(bytes: Buffer): Joined[] {
  const texts: Joined[] = [];
  const joiner = new TextJoiner(
    bytes,
    Buffer.alloc(injectionTextBytesMax),
    ({ utf8, segment, spans }) => {
      expect(utf8.length).toBeLessThanOrEqual(injectionTextBytesMax);
      texts.push({
        segment,
        text: utf8.toString(),
        spans: spans.map(({ from, until }) => utf8.toString("utf8", from, until)),
      });
    },
  );
  visitLeaves(bytes, "openai", joiner);
  joiner.flush();
  return texts;
}

/** Text that is long enough to be scored alone. */
const line = (text: string): string => text.padEnd(injectionTextBytesMin, "-");

const texts = (request: unknown): string[] => join(request).map(({ text }) => text);

describe("TextJoiner", () => {
  it("joins what stands in one message and nothing else", () => {
    const parts = [line("one"), line("tw\no")].map((text) => ({ type: "text", text }));
    expect(
      join({
        messages: [
          { role: "system", content: line("not scored") },
          { role: "user", content: parts },
          { role: "user", content: line("three") },
          { role: "tool", content: line("four") },
        ],
      }),
    ).toEqual([
      {
        segment: "user",
        text: `${line("one")}\n${line("tw\no")}`,
        spans: [line("one"), line("tw\no")],
      },
      { segment: "user", text: line("three"), spans: [line("three")] },
      { segment: "tool", text: line("four"), spans: [line("four")] },
    ]);
  });

  it("joins a short message with the next one, if that is of the same segment", () => {
    const short = "x".repeat(injectionTextBytesMin - 1);
    const messages = [
      { role: "user", content: short },
      { role: "user", content: "y" },
      { role: "user", content: "long enough" },
      { role: "tool", content: "a" },
      { role: "user", content: "b" },
      { role: "tool", content: "c" },
    ];
    expect(texts({ messages })).toEqual([`${short}\ny`, "long enough", "a", "b", "c"]);
  });

  it("joins a tool's words and keys, tool by tool", () => {
    const schema = { a: line("x") };
    const tools = [{ name: "add", schema }, { name: "sub" }];
    expect(texts({ tools })).toEqual([`name\nadd\nschema\na\n${line("x")}`, "name\nsub"]);
  });

  it("keeps the user's text apart from a tool's in one message", () => {
    const content = [
      { type: "text", text: "mine" },
      { type: "tool_result", content: "its" },
      { type: "text", text: "mine again" },
    ];
    expect(join({ messages: [{ role: "user", content }] })).toMatchObject([
      { segment: "user", text: "mine" },
      { segment: "tool", text: "its" },
      { segment: "user", text: "mine again" },
    ]);
  });

  it("reads structured content by its words, without escapes", () => {
    const content = { 'do "this"': ["line\nend", 5], "and that": { deep: "é" } };
    const [text] = join({ messages: [{ role: "tool", content }] });
    expect(text?.text).toBe('do "this"\nline\nend\nand that\ndeep\né');
  });

  it("decodes escapes, wherever the next ones stand", () => {
    const contents = ["plain", 'q"uote', "plain", "back\\slash", "tab\t", "plain"].map(line);
    const messages = contents.map((content) => ({ role: "user", content }));
    expect(texts({ messages })).toEqual(contents);
  });

  it("begins a new text where the next leaf does not fit", () => {
    const long = "x".repeat(injectionTextBytesMax - 5);
    const content = [long, "short", "another"].map((text) => ({ type: "text", text }));
    expect(texts({ messages: [{ role: "user", content }] })).toEqual([long, "short\nanother"]);
  });

  it.each([
    ["plain", (index: number) => `${index} `],
    ["escaped", (index: number) => `${index}\n"é`],
  ])("cuts a long leaf into texts that overlap: %s", (_name, word) => {
    const content = Array.from({ length: 12_000 }, (_, index) => word(index)).join("");
    const found = texts({ messages: [{ role: "user", content }] });
    expect(found.length).toBeGreaterThan(2);
    let covered = 0;
    for (const text of found) {
      const at = content.indexOf(text);
      expect(at).toBeGreaterThanOrEqual(0);
      if (covered > 0) expect(covered - at).toBeGreaterThan(injectionTextOverlapBytes / 3);
      covered = at + text.length;
    }
    expect(covered).toBe(content.length);
  });

  it("gives the same texts however a client spells them", () => {
    const long = Array.from({ length: 9_000 }, (_, index) => `${index} "é"\n😀`).join("");
    const contents = ["Hello, é.", long, "x".repeat(injectionTextBytesMax - 3), "\n\n"];
    const messages = [{ role: "user", content: contents.map((text) => ({ type: "text", text })) }];
    const json = JSON.stringify({ messages });
    const escaped = json.replace(/[^ -~]/g, (unit) => {
      return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
    expect(escaped.length).toBeGreaterThan(json.length);
    expect(joinJson(Buffer.from(escaped))).toEqual(joinJson(Buffer.from(json)));
  });

  it.each([-2, -1, 0, 1])("takes a leaf of the longest text's length and %d bytes", (more) => {
    const content = "x".repeat(injectionTextBytesMax + more);
    const found = texts({ messages: [{ role: "user", content }] });
    expect(found.map((text) => text.length)).toEqual(
      more <= 0
        ? [content.length]
        : [
            injectionTextBytesMax,
            content.length - injectionTextBytesMax + injectionTextOverlapBytes,
          ],
    );
  });
});
