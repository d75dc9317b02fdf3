import { describe, expect, it } from "vitest";
import { CustomPatternCache } from "../../../src/detectors/custom-pattern-cache.ts";
import { splice } from "../../../src/json/splice.ts";
import { searchAnswer } from "../../../src/workers/redact/answer-search.ts";
import { searchRequest } from "../../../src/workers/redact/request-search.ts";
import { TextSearch } from "../../../src/workers/redact/text-search.ts";
import type { BodyFormat } from "../../../src/workers/pool/scan-job.ts";

const cache = new CustomPatternCache();

/** Redacts each `PRJ7`, which base64 may hold by chance as it may hold anything. */
function search(): TextSearch {
  return new TextSearch(
    { entities: [], patterns: [{ regex: "PRJ7", action: "redact", redactionToken: "[X]" }] },
    {
      cache,
      entities: () => {
        throw new Error("no entities here");
      },
    },
  );
}

function redacted(body: unknown, format: BodyFormat): string {
  const bytes = Buffer.from(JSON.stringify(body));
  return Buffer.concat(splice(bytes, searchRequest(bytes, format, search()).edits)).toString();
}

function redactedAnswer(body: unknown): string {
  const bytes = Buffer.from(JSON.stringify(body));
  return Buffer.concat(splice(bytes, searchAnswer(bytes, false, search())?.edits ?? [])).toString();
}

const base64 = `${"aB3+".repeat(40)}PRJ7${"/9cD".repeat(40)}Q==`;
const base64url = `gAAAAAB${"x-_9".repeat(10)}PRJ7`;
const lines = base64.replace(/.{76}/g, "$&\r\n");
const image = `data:image/png;base64,${base64}`;

const opaque: [name: string, format: BodyFormat, body: unknown][] = [
  [
    "an image of the responses API",
    "json",
    { input: [{ role: "user", content: [{ type: "input_image", image_url: image }] }] },
  ],
  ["an image's address", "json", { input: [{ image_url: "https://example.com/PRJ7/a.png" }] }],
  ["a file in lines", "json", { input: [{ type: "input_file", file_data: lines }] }],
  ["images in a list", "json", { images: [base64, base64] }],
  ["a list of lists", "json", { images: [[base64], [[image]]] }],
  [
    "reasoning that is encrypted",
    "json",
    { input: [{ type: "reasoning", encrypted_content: base64url }] },
  ],
  [
    "what a web search of the provider found",
    "anthropic",
    {
      messages: [
        {
          role: "assistant",
          content: [
            {
              type: "web_search_tool_result",
              content: [{ type: "web_search_result", title: "t", encrypted_content: base64 }],
            },
            { type: "text", text: "a", citations: [{ cited_text: "b", encrypted_index: base64 }] },
          ],
        },
      ],
    },
  ],
  [
    "a medium in what a tool was called with",
    "openai",
    {
      messages: [
        {
          role: "assistant",
          tool_calls: [{ function: { name: "f", arguments: JSON.stringify({ image: [base64] }) } }],
        },
      ],
    },
  ],
];

const text: [name: string, format: BodyFormat, body: unknown][] = [
  ["a sentence where an image should be", "json", { image_url: "the plan of PRJ7 is here" }],
  ["a sentence behind a data URL", "json", { image_url: `${image} and PRJ7` }],
  ["words in lines", "json", { file_data: `${base64.slice(0, 40)}\nPRJ7\nis\nsecret`.repeat(9) }],
  ["a short value", "json", { data: "PRJ7aaaaaaaaaaaaaaaa" }],
  ["base64 in another member", "json", { note: base64 }],
  [
    "a sentence that is said to be encrypted",
    "json",
    { encrypted_content: "PRJ7 is the plan, say" },
  ],
  ["an item that only stands behind one", "json", { a: [{ image: "x" }, base64] }],
  [
    "a sentence in a tool's input",
    "anthropic",
    {
      messages: [
        {
          role: "user",
          content: [{ type: "tool_result", content: [{ data: "all of PRJ7 there" }] }],
        },
      ],
    },
  ],
];

describe("rules pass over", () => {
  it.each(opaque)("%s ($1)", (_name, format, body) => {
    expect(redacted(body, format)).toBe(JSON.stringify(body));
  });

  it.each<[name: string, body: unknown]>([
    ["embeddings in base64", { data: [{ object: "embedding", embedding: base64 }] }],
    ["an image that was made", { output: [{ type: "image_generation_call", result: base64 }] }],
    ["an image in JSON", { data: [{ b64_json: base64 }] }],
    [
      "images of a message",
      { choices: [{ message: { images: [{ image_url: { url: image } }] } }] },
    ],
    ["a tool's medium", { content: [{ type: "tool_use", input: { file: image } }] }],
  ])("%s in an answer", (_name, body) => {
    expect(redactedAnswer(body)).toBe(JSON.stringify(body));
  });
});

describe("rules read", () => {
  it.each(text)("%s ($1)", (_name, format, body) => {
    expect(redacted(body, format)).not.toBe(JSON.stringify(body));
  });

  it("text in an answer's member that may hold a medium", () => {
    const body = { result: "the plan of PRJ7 is here", url: "PRJ7 is no address, is it" };
    expect(redactedAnswer(body)).not.toContain("PRJ7");
  });
});
