import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { WorstCaseRequest } from "../../../src/billing/worst-case.ts";
import type { Wire } from "../../../src/contract/wire.ts";
import { JsonScanner } from "../../../src/json/scanner.ts";
import { readWorstCaseRequest } from "../../../src/pipeline/money/cost-bounds.ts";

function read(wire: Wire, text: string): WorstCaseRequest {
  const bytes = Buffer.from(text);
  const topLevel = new JsonScanner().finish(bytes, bytes.length);
  if ("reason" in topLevel) throw new Error(topLevel.reason);
  return readWorstCaseRequest(wire, { bytes, topLevel });
}

const plain: Omit<WorstCaseRequest, "textBytes"> = {
  toolBytes: 0,
  messages: 0,
  tools: 0,
  hasMedia: false,
  hasAudioInput: false,
  wantsAudioOutput: false,
  cacheWrites: "automatic",
  predictionBytes: 0,
  choices: 1,
  outputTokensMax: null,
  perUseToolCalls: 0,
  hasBilledTools: false,
  compacts: "never",
  unboundedBy: null,
  serviceTier: null,
};

/** Of a body with one member. */
function toolBytes(text: string): number {
  const head = /^\{"(tool[s\u017f]|functions|response_format|output_(config|format))":/.exec(
    text,
  )?.[0];
  return head === undefined ? 0 : text.length - head.length - 1;
}

/** A user message with these parts, as the only one. */
const parts = (...list: string[]) => `{"messages":[{"role":"user","content":[${list.join(",")}]}]}`;
const search = `"type":"web_search_20250305","name":"web_search"`;

describe("chat requests", () => {
  test.each<[string, Partial<WorstCaseRequest>]>([
    ["{}", {}],
    [
      `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null}]}`,
      { messages: 2 },
    ],
    [`{"messages":"none"}`, {}],
    [parts(`{"type":"text","text":"a"}`), { messages: 1 }],
    [
      parts(`{"type":"image_url","image_url":{"url":"https://x"}}`),
      { messages: 1, hasMedia: true },
    ],
    [parts(`{"type":"file","file":{"file_id":"f"}}`), { messages: 1, hasMedia: true }],
    [parts(`{"type":"te\\u0078t","text":"a"}`), { messages: 1 }],
    [parts(`{"t\\u0079pe":"image_url","x":1}`), { messages: 1, hasMedia: true }],
    [parts(`{"text":"no type"}`), { messages: 1, hasMedia: true }],
    [parts(`{"type":"text","text":"a","image_url":"https://x"}`), { messages: 1, hasMedia: true }],
    [parts(`{"type":"text","type":"image"}`), { messages: 1, hasMedia: true }],
    [parts(`{"type":"text","Type":"image"}`), { messages: 1, hasMedia: true }],
    [parts(`{"type":"text","text":"a","Image_URL":"https://x"}`), { messages: 1, hasMedia: true }],
    [parts(`{"type":"text","Cache_Control":{"TTL":"1h"}}`), { messages: 1, cacheWrites: "1h" }],
    [`{"messages":[{"Content":[{"type":"image"}]}]}`, { messages: 1, hasMedia: true }],
    [`{"tool\u017f":[{"Type":"live_search"}]}`, { tools: 1, unboundedBy: "tools" }],
    [`{"tools":[{"type":"function","Type":"live_search"}]}`, { tools: 1, unboundedBy: "tools" }],
    [`{"tools":[{"type":"live_search","type":"function"}]}`, { tools: 1, unboundedBy: "tools" }],
    [
      parts(`{"type":"input_audio","input_audio":{"data":"","format":"wav"}}`),
      { messages: 1, hasMedia: true, hasAudioInput: true },
    ],
    [
      `{"messages":[{"role":"assistant","audio":{"id":"audio_1"}}]}`,
      { messages: 1, hasMedia: true, hasAudioInput: true },
    ],
    [
      `{"messages":[{"role":"user","content":"a","images":["x"]}]}`,
      { messages: 1, hasMedia: true },
    ],
    [`{"messages":[{"role":"assistant","tool_calls":[{"id":"c"}]}]}`, { messages: 1 }],
    [`{"modalities":["text","audio"],"audio":{"voice":"x"}}`, { wantsAudioOutput: true }],
    [`{"modalities":["text"]}`, {}],
    [`{"audio":{"voice":"x"}}`, { wantsAudioOutput: true }],
    [String.raw`{"modalities":["text","\u0061udio"]}`, { wantsAudioOutput: true }],
    [`{"modalities":["text",${" ".repeat(4_096)}"audio"]}`, { wantsAudioOutput: true }],
    [`{"tools":[{"type":"function","function":{}}]}`, { tools: 1 }],
    [`{"functions":[{"name":"f"},{"name":"g"}]}`, { tools: 2 }],
    [`{"tools":[{"type":"live_search"}]}`, { tools: 1, unboundedBy: "tools" }],
    [`{"web_search_options":{}}`, { unboundedBy: "web_search_options" }],
    [`{"plugins":[{"id":"web"}]}`, { unboundedBy: "plugins" }],
    [`{"plugins":[ ],"models":null}`, {}],
    [`{"Models":["a","b"]}`, { unboundedBy: "models" }],
    [`{"response_format":{"type":"text"}}`, {}],
    [`{"prediction":{"type":"content"}}`, { predictionBytes: 18 }],
    [`{"service_tier":"flex"}`, { serviceTier: "flex" }],
    [`{"service_tier":"auto"}`, {}],
    [`{"service_tier":""}`, {}],
    [
      parts(`{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`),
      { messages: 1, cacheWrites: "5m" },
    ],
  ])("%s", (text, expected) => {
    expect(read("chat", text)).toEqual({
      ...plain,
      textBytes: Buffer.byteLength(text),
      toolBytes: toolBytes(text),
      ...expected,
    });
  });

  test.each<[string, number | null]>([
    [`{}`, null],
    [`{"max_tokens":100}`, 100],
    [`{"max_tokens":1}`, 1],
    [`{"max_tokens":100,"max_completion_tokens":200,"max_output_tokens":150}`, 200],
    [`{"max_output_tokens":7}`, 7],
    [`{"max_tokens":1e2}`, 100],
    [`{"max_tokens":16.0}`, 16],
    [`{"max_tokens":null,"max_completion_tokens":5}`, 5],
    [`{"max_tokens":0}`, null],
    [`{"max_tokens":-5}`, null],
    [`{"max_tokens":1.5}`, null],
    [`{"max_tokens":"100"}`, null],
    [`{"max_tokens":1e30}`, null],
    [`{"max_tokens":1e9}`, 1_000_000_000],
    [`{"max_tokens":1000000001}`, null],
    [`{"max_tokens":100,"max_completion_tokens":0}`, null],
    [`{"MAX_TOKENS":100}`, null],
    [`{"max_tokens":1,"Max_Completion_Tokens":100000}`, null],
    [`{"max_tokens":1,"max_output_to\u212aens":100000}`, null],
    [`{"max_tokens":1,"max_completion_token\u017f":100000}`, null],
    [`{"max_tokens":7,"Max_Completion_Tokens":null}`, 7],
  ])("the output cap of %s is %s", (text, cap) => {
    expect(read("chat", text).outputTokensMax).toBe(cap);
  });

  test.each<[string, number | undefined]>([
    [`{}`, 1],
    [`{"n":null}`, 1],
    [`{"n":4}`, 4],
    [`{"n":2,"best_of":5}`, 5],
    [`{"N":3}`, 3],
    [`{"n":0}`, undefined],
    [`{"n":-1}`, undefined],
    [`{"n":1.5}`, undefined],
    [`{"n":"3"}`, undefined],
    [`{"n":[]}`, undefined],
  ])("the choices of %s are %s", (text, choices) => {
    expect(read("chat", text).choices).toBe(choices);
  });
});

describe("parts of a message", () => {
  test.each([
    "text",
    "input_text",
    "output_text",
    "refusal",
    "thinking",
    "redacted_thinking",
    "reasoning",
    "tool_use",
    "tool_result",
    "server_tool_use",
    "search_result",
    "compaction",
    "mcp_tool_use",
    "tool_search_tool_result",
    "web_search_result",
    "bash_code_execution_result",
  ])("%s is text, and stays no more than that without a medium in it", (type) => {
    const part = `"type":"${type}","source":"a name"`;
    expect(read("messages", parts(`{${part}}`)).hasMedia).toBe(false);
    expect(read("messages", parts(`{${part},"source":{"type":"url"}}`)).hasMedia).toBe(true);
  });

  test.each(["file", "file_id", "image", "image_url", "input_audio", "video_url"])(
    "%s is a medium, whatever its part calls itself",
    (name) => {
      expect(read("chat", parts(`{"type":"text","${name}":"x"}`)).hasMedia).toBe(true);
    },
  );

  test.each(["input_audio", "audio", "audio_url"])("%s is audio", (type) => {
    expect(read("chat", parts(`{"type":"${type}"}`)).hasAudioInput).toBe(true);
  });

  test.each(["annotations", "function_call", "reasoning_details", "tool_calls"])(
    "%s of a message are text",
    (name) => {
      expect(read("chat", `{"messages":[{"${name}":[{}]}]}`).hasMedia).toBe(false);
    },
  );
});

describe("members that clients send beside the text", () => {
  const message = (members: string) => `{"messages":[{"role":"user","content":"a",${members}}]}`;

  test.each([
    `"output_config":{"effort":"medium"}`,
    `"clear_at":1`,
    `"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]`,
    `"reasoning_details":[{"type":"reasoning.text","text":"a","signature":null}]`,
  ])("%s is no medium", (members) => {
    expect(read("messages", message(members)).hasMedia).toBe(false);
  });

  test.each([
    `"output_config":{"effort":{"level":1}}`,
    `"output_config":{"effort":"medium","attachments":[{"id":"a"}]}`,
    `"output_config":[[{"effort":"medium"}]]`,
    `"output_config":{"file_id":"file_1"}`,
    `"file_id":"file_1"`,
    `"id":["a"]`,
    `"constructor":{}`,
    `"unheard_of":{}`,
  ])("%s may be one", (members) => {
    expect(read("messages", message(members)).hasMedia).toBe(true);
  });

  test("a thread that begins has nothing before it", () => {
    expect(read("messages", `{"thread":{"type":"create"}}`).hasMedia).toBe(false);
    for (const thread of [
      `{"type":"create","previous_message_id":"msg_1"}`,
      `{"type":"create","type":"continue"}`,
      `{"Type":"continue"}`,
      `{}`,
      `"create"`,
    ]) {
      expect(read("messages", `{"thread":${thread}}`).hasMedia).toBe(true);
    }
  });
});

describe("definitions of tools", () => {
  test.each<[Wire, string]>([
    ["messages", `{"name":"a","description":"Reads it.","input_schema":{}}`],
    ["chat", `{"type":"function","function":{"name":"a","description":"Reads it."}}`],
  ])("%s: prose in ASCII is not written in another way", (wire, tool) => {
    const bytes = (text: string) => read(wire, `{"tools":[${text}]}`).toolBytes;
    expect(bytes(tool)).toBe(tool.length + 2 - "Reads it.".length);
    const escaped = tool.replace("Reads it.", String.raw`\n\"it\"`);
    expect(bytes(escaped)).toBe(escaped.length + 2 - "it".length);
    const accented = tool.replace("Reads it.", "Lit ça.");
    expect(bytes(accented)).toBe(Buffer.byteLength(accented) + 2);
  });

  const tools = `"tools":[{"name":"a","defer_loading":true},{"name":"bc","input_schema":{}}]`;
  const list = tools.length - `"tools":`.length;
  const found = (...names: string[]) =>
    `{"messages":[{"role":"user","content":[{"type":"tool_result","content":[${names
      .map((name) => `{"type":"tool_reference","tool_name":"${name}"}`)
      .join(",")}]}]}],${tools}}`;
  const searched = `{"type":"tool_search_tool_result","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"a"}]}}`;

  test("a reference brings in the definition once more", () => {
    const a = `{"name":"a","defer_loading":true}`.length;
    const bc = `{"name":"bc","input_schema":{}}`.length;
    expect(read("messages", found("a"))).toMatchObject({
      hasMedia: false,
      toolBytes: list + 2 * a,
    });
    expect(read("messages", found("a", "bc", "a")).toolBytes).toBe(list + 2 * (2 * a + bc));
    const body = `{${tools},${parts(searched).slice(1)}`;
    expect(read("messages", body)).toMatchObject({ hasMedia: false, toolBytes: list + 2 * a });
  });

  test("one to a tool that is not there may bring in anything", () => {
    expect(read("messages", found("z")).hasMedia).toBe(true);
    expect(read("messages", parts(searched)).hasMedia).toBe(true);
  });
});

describe("messages requests", () => {
  test.each<[string, Partial<WorstCaseRequest>]>([
    [`{"system":"be brief","max_tokens":9}`, { outputTokensMax: 9 }],
    [
      `{"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`,
      { cacheWrites: "5m" },
    ],
    [`{"cache_control":{"type":"ephemeral","ttl":"5m"}}`, { cacheWrites: "5m" }],
    [`{"cache_control":{"type":"ephemeral","ttl":"1h"}}`, { cacheWrites: "1h" }],
    [`{"cache_control":{"ttl":3600}}`, { cacheWrites: "1h" }],
    [`{"cache_control":null}`, {}],
    [parts(`{"type":"image","source":{"type":"url","url":"x"}}`), { messages: 1, hasMedia: true }],
    [
      parts(`{"type":"document","source":{"type":"text","data":"x"}}`),
      { messages: 1, hasMedia: true },
    ],
    [parts(`{"type":"tool_result","content":[{"type":"text","text":"a"}]}`), { messages: 1 }],
    [
      parts(
        `{"type":"tool_result","content":[{"type":"image","source":{}}],"cache_control":{"ttl":"1h"}}`,
      ),
      { messages: 1, hasMedia: true, cacheWrites: "1h" },
    ],
    [`{"tools":[{"name":"mine","input_schema":{}}]}`, { tools: 1 }],
    [`{"tools":[{"type":"bash_20250124"}]}`, { tools: 1 }],
    [
      `{"tools":[{${search},"max_uses":5}]}`,
      { tools: 1, perUseToolCalls: 5, hasBilledTools: true },
    ],
    [`{"tools":[{${search}}]}`, { tools: 1, hasBilledTools: true, unboundedBy: "tools" }],
    [
      `{"tools":[{${search},"max_uses":-1}]}`,
      { tools: 1, hasBilledTools: true, unboundedBy: "tools" },
    ],
    [`{"tools":[{${search},"max_uses":0}]}`, { tools: 1, hasBilledTools: true }],
    [
      `{"tools":[{${search},"max_uses":10000}]}`,
      { tools: 1, perUseToolCalls: 10_000, hasBilledTools: true },
    ],
    [
      `{"tools":[{${search},"max_uses":10001}]}`,
      { tools: 1, hasBilledTools: true, unboundedBy: "tools" },
    ],
    [`{"tools":[{"type":"web_fetch_20250910","max_uses":2}]}`, { tools: 1, perUseToolCalls: 2 }],
    [
      `{"tools":[{${search},"max_uses":9,"max_uses":1}]}`,
      { tools: 1, perUseToolCalls: 9, hasBilledTools: true },
    ],
    [
      `{"tools":[{${search},"max_uses":1,"Max_Uses":9}]}`,
      { tools: 1, hasBilledTools: true, unboundedBy: "tools" },
    ],
    [
      `{"tools":[{${search},"max_uses":1,"max_uses":"9"}]}`,
      { tools: 1, hasBilledTools: true, unboundedBy: "tools" },
    ],
    [
      `{"tools":[{${search},"max_uses":2,"max_uses":null}]}`,
      { tools: 1, hasBilledTools: true, unboundedBy: "tools" },
    ],
    [
      `{"tools":[{"type":"code_execution_20250825","max_uses":2}]}`,
      { tools: 1, unboundedBy: "tools" },
    ],
    [`{"mcp_servers":[{"url":"https://x"}]}`, { unboundedBy: "mcp_servers" }],
    [`{"fallbacks":[{"model":"another"}]}`, { unboundedBy: "fallbacks" }],
    [`{"fallbacks":"default"}`, { unboundedBy: "fallbacks" }],
    [`{"fallbacks":[]}`, {}],
    [`{"context_management":{"edits":[{"type":"compact_20260112"}]}}`, { compacts: "long" }],
    [`{"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]}}`, {}],
    [
      String.raw`{"context_management":{"edits":[{"type":"\u0063ompact_20260112"}]}}`,
      { compacts: "long" },
    ],
    [`{"compaction":{"type":"summarize"}}`, { compacts: "always" }],
    [`{"compaction":null,"context_management":null,"thread":null}`, {}],
    [`{"thread":{"type":"continue","previous_message_id":"msg_1"}}`, { hasMedia: true }],
    [`{"output_config":{"format":{"type":"json_schema","schema":{}}}}`, {}],
    [`{"service_tier":"standard_only"}`, { serviceTier: "standard_only" }],
    [`{"speed":"fast","inference_geo":"us"}`, { serviceTier: "fast+us" }],
    [`{"speed":"standard","inference_geo":"global"}`, {}],
  ])("%s", (text, expected) => {
    expect(read("messages", text)).toEqual({
      ...plain,
      textBytes: text.length,
      toolBytes: toolBytes(text),
      cacheWrites: "none",
      ...expected,
    });
  });
});

describe("the bytes of a body", () => {
  test("are at least the tokens of its text, however it is escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.boolean(), (text, escaped) => {
        const json = JSON.stringify({ messages: [{ role: "user", content: text }] });
        const spelled = escaped
          ? json.replace(
              /[^\0-~]/g,
              (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
            )
          : json;
        expect(read("chat", spelled).textBytes).toBeGreaterThanOrEqual(countTokens(text));
      }),
    );
  });

  test("of any JSON are read without an error", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            "messages",
            "tools",
            "system",
            "n",
            "max_tokens",
            "cache_control",
            "plugins",
            "speed",
          ),
          fc.jsonValue(),
        ),
        fc.constantFrom<Wire[]>("chat", "messages"),
        (body, wire) => {
          read(wire, JSON.stringify(body));
        },
      ),
    );
  });
});
