import { describe, expect, it } from "vitest";
import { CustomPatternCache } from "../../../src/detectors/custom-pattern-cache.ts";
import { splice } from "../../../src/json/splice.ts";
import type { BodyVerdict } from "../../../src/workers/redact/body-edits.ts";
import { searchRequest } from "../../../src/workers/redact/request-search.ts";
import type { RuleAction } from "../../../src/workers/redact/rules.ts";
import { TextSearch } from "../../../src/workers/redact/text-search.ts";
import { entityScans } from "../../../src/workers/report/entity-scan.ts";
import type { BodyFormat } from "../../../src/workers/pool/scan-job.ts";

const cache = new CustomPatternCache();
const entities = entityScans();

function searched(
  body: unknown,
  format: BodyFormat,
  action: RuleAction = "redact",
): BodyVerdict & { readonly body: unknown } {
  const search = new TextSearch(
    {
      entities: [
        { category: "pii", action },
        { category: "credential", action },
      ],
      patterns: [{ regex: "PRJ-?[0-9]+", action, redactionToken: "[X]" }],
    },
    { cache, entities },
  );
  const bytes = Buffer.from(JSON.stringify(body));
  const verdict = searchRequest(bytes, format, search);
  const edited = Buffer.concat(splice(bytes, verdict.edits)).toString();
  return { ...verdict, body: JSON.parse(edited) };
}

const said = (...content: unknown[]): object => ({ messages: [{ role: "assistant", content }] });

describe("a tool's input", () => {
  const use = (input: unknown, type = "tool_use"): object =>
    said({ type, id: "toolu_1", name: "pay", input });

  it.each<[name: string, input: unknown, redacted: unknown]>([
    ["a number", { card: 4111111111111111 }, { card: "<CREDIT_CARD>" }],
    ["a value by its key", { password: "Xk29!fLq0vB7zz" }, { password: "<PASSWORD>" }],
    ["strings and keys", { "PRJ-1": ["PRJ-2", "a"] }, { "[X]": ["[X]", "a"] }],
    ["a string", "see PRJ-1", "see [X]"],
    ["a list", [{ a: "PRJ-1" }], [{ a: "[X]" }]],
    ["nothing", { rows: 12, ok: true }, { rows: 12, ok: true }],
  ])("%s", (_name, input, redacted) => {
    for (const type of ["tool_use", "server_tool_use", "mcp_tool_use"]) {
      expect(searched(use(input, type), "anthropic").body).toEqual(use(redacted, type));
    }
  });

  it("is read as arguments are", () => {
    const input = { card: 4111111111111111, password: "Xk29!fLq0vB7zz" };
    const call = { function: { name: "pay", arguments: JSON.stringify(input) } };
    const chat = searched({ messages: [{ role: "assistant", tool_calls: [call] }] }, "openai");
    expect(searched(use(input), "anthropic").found).toEqual(chat.found);
  });
});

describe("arguments", () => {
  it.each<[name: string, written: string, redacted: unknown]>([
    ["an object", '{"card":4111111111111111}', { card: "<CREDIT_CARD>" }],
    ["an object in lines", '\n\t{"card":4111111111111111}', { card: "<CREDIT_CARD>" }],
    ["a list", '[{"card":4111111111111111}]', [{ card: "<CREDIT_CARD>" }]],
    ["a string", '"PRJ-1"', "[X]"],
  ])("are JSON after the edits: %s", (_name, written, redacted) => {
    const call = { function: { name: "pay", arguments: written } };
    const body = { messages: [{ role: "assistant", tool_calls: [call] }] };
    expect(JSON.stringify(searched(body, "openai").body)).toContain(
      JSON.stringify(JSON.stringify(redacted)).slice(1, -1),
    );
  });
});

describe("thinking", () => {
  const thinking = (signature: string): object =>
    said({ type: "thinking", thinking: "about PRJ-1", signature }, { type: "text", text: "PRJ-2" });

  it("is edited without a signature", () => {
    const { action, body } = searched(thinking(""), "anthropic");
    expect(action).toBe("redact");
    expect(JSON.stringify(body)).not.toContain("PRJ");
  });

  it("blocks under one, which no edit survives", () => {
    for (const signature of ["c2ln", "c2ln".repeat(300)]) {
      const { action, edits, found } = searched(thinking(signature), "anthropic");
      expect({ action, edits, found }).toEqual({
        action: "block",
        edits: [],
        found: { custom_pattern: 2 },
      });
    }
  });

  it("is only flagged where the rule only flags, and passes where nothing is found", () => {
    expect(searched(thinking("c2ln"), "anthropic", "flag").action).toBe("flag");
    const clean = said({ type: "thinking", thinking: "hm", signature: "c2ln" });
    expect(searched(clean, "anthropic").action).toBeNull();
  });
});

describe("identifiers that parts of a request find each other by", () => {
  const ids = ["call_PRJ7", "chatcmpl-tool-PRJ-7", "PRJ17abcd", "4111111111111111"];

  it.each(ids)("%s of a tool call is not read", (id) => {
    const chat = {
      messages: [
        { role: "assistant", tool_calls: [{ id, type: "function", function: { name: "f" } }] },
        { role: "tool", tool_call_id: id, content: "done" },
      ],
    };
    expect(searched(chat, "openai").found).toEqual({});
    const messages = {
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id, name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "done" }] },
      ],
    };
    expect(searched(messages, "anthropic").found).toEqual({});
    const responses = {
      input: [
        { type: "function_call", id: "fc_PRJ7", call_id: id, name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: id, output: "done" },
      ],
    };
    expect(searched(responses, "json").found).toEqual({});
  });

  it("are text where they are a sentence, or anybody's", () => {
    const body = { call_id: "see PRJ-1 there", id: "PRJ-2", customer: { id: "jane@example.com" } };
    expect(searched(body, "json").found).toEqual({ custom_pattern: 2, pii: 1 });
    const calls = [{ id: { note: "PRJ-1" }, function: { name: "PRJ-2" } }, { id: "see PRJ-3" }];
    const chat = { messages: [{ role: "assistant", tool_calls: calls }] };
    expect(searched(chat, "openai").found).toEqual({ custom_pattern: 3 });
  });
});
