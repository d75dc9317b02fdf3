import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoProvider, type DemoProvider } from "../../src/demo-provider/server.ts";
import { ask, eventsOf, member, post, textOf, wires } from "./wire-client.ts";

let provider: DemoProvider;
beforeAll(async () => {
  provider = await startDemoProvider();
});
afterAll(() => provider.close());

describe.each(wires)("%s: any answer", (wire) => {
  test.each([false, true])("echoes the last user message; stream %s", async (stream) => {
    const messages = [
      { role: "user", content: "first" },
      { role: "assistant", content: "answer" },
      { role: "user", content: [{ type: "text", text: 'Grüße "an"\n🎉' }] },
    ];
    const received = await ask(provider, wire, "echo", { stream, messages });
    expect(received.status).toBe(200);
    expect(received.headers["content-type"]).toBe(
      stream ? "text/event-stream; charset=utf-8" : "application/json",
    );
    expect(textOf(wire, received)).toBe('Grüße "an"\n🎉');
  });

  test.each([false, true])("is the same for the same request; stream %s", async (stream) => {
    const model = "echo?tokens=7&token_bytes=9";
    const [one, two] = [
      await ask(provider, wire, model, { stream }),
      await ask(provider, wire, model, { stream }),
    ];
    expect(one.body).toEqual(two.body);
    expect(textOf(wire, one)).toHaveLength(7 * 9);
    expect(one.headers[wire === "chat" ? "x-request-id" : "request-id"]).toMatch(/^req_/);
  });

  test("a JSON answer has its length, a large one comes in chunks", async () => {
    const small = await ask(provider, wire, "echo");
    expect(small.headers["content-length"]).toBe(String(small.body.length));
    const large = await ask(provider, wire, "echo?tokens=2000&token_bytes=1000", {
      max_tokens: 5_000,
    });
    expect(large.headers["transfer-encoding"]).toBe("chunked");
    expect(textOf(wire, large)).toHaveLength(2_000_000);
  });

  test("a stream has an event a token", async () => {
    const count = async (tokens: number) => {
      const name = `echo?tokens=${String(tokens)}`;
      return eventsOf((await ask(provider, wire, name, { stream: true })).body).length;
    };
    expect((await count(25)) - (await count(0))).toBe(25);
  });

  test.each([
    ["no JSON", "{", 400],
    ["no object", "[]", 400],
    ["no model", '{"messages":[{"role":"user","content":"a"}]}', 400],
    ["no messages", '{"model":"echo","max_tokens":5}', 400],
    ["empty messages", '{"model":"echo","max_tokens":5,"messages":[]}', 400],
    ["stream no boolean", '{"model":"echo","max_tokens":5,"stream":1,"messages":[1]}', 400],
    ["max_tokens 0", '{"model":"echo","max_tokens":0,"messages":[1]}', 400],
    ["unknown parameter", '{"model":"echo?a=1","max_tokens":5,"messages":[1]}', 400],
    ["unknown model", '{"model":"gpt","max_tokens":5,"messages":[1]}', 404],
    [
      "tool that is not offered",
      `{"model":"echo","max_tokens":5,"messages":[1],"tools":[],"tool_choice":{"type":"any","function":{"name":"x"}}}`,
      400,
    ],
  ])("refuses %s in its shape", async (_, body, status) => {
    const path = wire === "chat" ? "/v1/chat/completions" : "/v1/messages";
    const received = await post(provider.origin, path, body);
    expect(received.status).toBe(status);
    const error: unknown = JSON.parse(received.body.toString());
    const message = expect.any(String) as unknown;
    const ofChat = {
      error: {
        type: "invalid_request_error",
        message,
        param: null,
        code: status === 404 ? "model_not_found" : null,
      },
    };
    const ofMessages = {
      type: "error",
      error: { type: status === 404 ? "not_found_error" : "invalid_request_error", message },
      request_id: received.headers["request-id"],
    };
    expect(error).toEqual(wire === "chat" ? ofChat : ofMessages);
  });
});

describe("chat", () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 4,
    total_tokens: 13,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };

  test("JSON", async () => {
    const received = await ask(provider, "chat", "echo?tokens=4&token_bytes=1");
    expect(JSON.parse(received.body.toString())).toEqual({
      id: expect.stringMatching(/^chatcmpl-demo[0-9a-f]{8}$/) as unknown,
      object: "chat.completion",
      created: 1_767_225_600,
      model: "echo?tokens=4&token_bytes=1",
      service_tier: "default",
      system_fingerprint: "fp_demo",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "abcd", refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage,
    });
  });

  test.each([
    [undefined, []],
    [{ include_usage: false }, []],
    [{ include_usage: true }, [usage]],
  ])("a stream with stream_options %j ends with usage %j", async (stream_options, expected) => {
    const model = "echo?tokens=4&token_bytes=1";
    const extra = stream_options === undefined ? {} : { stream_options };
    const received = await ask(provider, "chat", model, { stream: true, ...extra });
    const events = eventsOf(received.body);
    expect(events.map(({ event }) => event)).toEqual(events.map(() => null));
    expect(events.at(-1)?.data).toBe("[DONE]");
    const chunks = events.slice(0, -1).map(({ data }) => member(JSON.parse(data)));
    expect(chunks.map((chunk) => chunk("usage")).filter(Boolean)).toEqual(expected);
    expect(chunks[0]?.("choices", 0, "delta")).toEqual({
      role: "assistant",
      content: "",
      refusal: null,
    });
    const withoutUsage = chunks.slice(0, chunks.length - expected.length);
    expect(withoutUsage.map((chunk) => chunk("usage"))).toEqual(
      withoutUsage.map(() => (expected.length === 0 ? undefined : null)),
    );
    expect(withoutUsage.map((chunk) => chunk("choices", 0, "finish_reason"))).toEqual([
      ...[null, null, null, null, null],
      "stop",
    ]);
  });

  test.each([
    [false, 0],
    [false, 3],
    [true, 0],
    [true, 3],
  ])("n choices; stream %s, %i tokens", async (stream, tokens) => {
    const model = `echo?tokens=${String(tokens)}&token_bytes=2`;
    const stream_options = { include_usage: true };
    const received = await ask(provider, "chat", model, { stream, n: 3, stream_options });
    const texts = new Map<unknown, string>();
    const chunks = stream
      ? eventsOf(received.body).map(({ data }): unknown =>
          data === "[DONE]" ? {} : JSON.parse(data),
        )
      : [JSON.parse(received.body.toString())];
    let completionTokens: unknown;
    const reasons: unknown[] = [];
    for (const chunk of chunks.map(member)) {
      const choices = chunk("choices");
      for (const choice of Array.isArray(choices) ? choices.map(member) : []) {
        const text = choice(stream ? "delta" : "message", "content");
        if (typeof text === "string")
          texts.set(choice("index"), (texts.get(choice("index")) ?? "") + text);
        if (choice("finish_reason") !== null) reasons.push(choice("finish_reason"));
      }
      completionTokens = chunk("usage", "completion_tokens") ?? completionTokens;
    }
    const text = "abbccd".slice(0, tokens * 2);
    expect([0, 1, 2].map((index) => texts.get(index))).toEqual([text, text, text]);
    expect(reasons).toEqual(["stop", "stop", "stop"]);
    expect(completionTokens).toBe(3 * tokens);
  });

  test.each(["max_tokens", "max_completion_tokens"])("%s cuts the answer", async (name) => {
    const received = await ask(provider, "chat", "echo?tokens=10&token_bytes=1", { [name]: 3 });
    const answer = member(JSON.parse(received.body.toString()));
    expect(answer("choices", 0, "finish_reason")).toBe("length");
    expect(answer("choices", 0, "message", "content")).toBe("abc");
    expect(answer("usage", "completion_tokens")).toBe(3);
  });
});

describe("messages", () => {
  const usage = {
    input_tokens: 9,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 4,
    output_tokens_details: null,
    server_tool_use: null,
  };
  const messageUsage = {
    ...usage,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    inference_geo: null,
    service_tier: "standard",
    speed: "standard",
  };
  const message = {
    id: expect.stringMatching(/^msg_demo[0-9a-f]{8}$/) as unknown,
    type: "message",
    role: "assistant",
    model: "echo?tokens=4&token_bytes=1",
    container: null,
    diagnostics: null,
    content: [{ type: "text", citations: null, text: "abcd" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: null,
    usage: messageUsage,
  };

  test("JSON", async () => {
    const received = await ask(provider, "messages", message.model);
    expect(JSON.parse(received.body.toString())).toEqual(message);
  });

  test("a stream has the wire's events in their order", async () => {
    const received = await ask(provider, "messages", message.model, { stream: true });
    const events = eventsOf(received.body);
    const parsed = events.map(({ data }): unknown => JSON.parse(data));
    expect(events.map(({ event }) => event)).toEqual(parsed.map((event) => member(event)("type")));
    const text_delta = (text: string) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text },
    });
    expect(parsed).toEqual([
      {
        type: "message_start",
        message: {
          ...message,
          content: [],
          stop_reason: null,
          usage: { ...messageUsage, output_tokens: 1 },
        },
      },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "text", citations: null, text: "" },
      },
      { type: "ping" },
      ...["a", "b", "c", "d"].map(text_delta),
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: {
          container: null,
          stop_details: null,
          stop_reason: "end_turn",
          stop_sequence: null,
        },
        usage,
      },
      { type: "message_stop" },
    ]);
  });

  test("max_tokens cuts the answer, and is required", async () => {
    const model = "echo?tokens=10&token_bytes=1";
    const received = await ask(provider, "messages", model, { max_tokens: 3 });
    const answer = member(JSON.parse(received.body.toString()));
    expect(answer("stop_reason")).toBe("max_tokens");
    expect(answer("content", 0, "text")).toBe("abc");
    expect(answer("usage", "output_tokens")).toBe(3);
    const without = await ask(provider, "messages", model, { max_tokens: undefined });
    expect(without.status).toBe(400);
  });

  test("a tool's input that max_tokens cuts off is left empty, so the body stays JSON", async () => {
    const tools = [
      { name: "look", input_schema: { type: "object", properties: { a: { type: "string" } } } },
    ];
    const extra = { tools, tool_choice: { type: "any" }, max_tokens: 2 };
    const received = await ask(provider, "messages", "echo", extra);
    const answer = member(JSON.parse(received.body.toString()));
    expect(answer("content", 0, "input")).toEqual({});
    expect(answer("stop_reason")).toBe("max_tokens");
  });
});

test("the hash of a generated answer can be computed beforehand", async () => {
  const received = await ask(provider, "chat", "echo?tokens=1000&token_bytes=6", { stream: true });
  const expected = Array.from({ length: 1_000 }, (_, index) => {
    const number = ` ${index.toString(36)} `;
    return number + "abcdef".slice(0, 6 - number.length);
  }).join("");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  expect(hash(textOf("chat", received))).toBe(hash(expected));
});
