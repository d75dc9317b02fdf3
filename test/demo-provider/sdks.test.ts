import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoProvider, type DemoProvider } from "../../src/demo-provider/server.ts";

let provider: DemoProvider;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  provider = await startDemoProvider({ credential: "provider-credential" });
  const options = { apiKey: "provider-credential", maxRetries: 0 };
  openai = new OpenAI({ ...options, baseURL: `${provider.origin}/v1` });
  anthropic = new Anthropic({ ...options, baseURL: provider.origin });
});
afterAll(() => provider.close());

const user = { role: "user" as const, content: "Say it in nine words, if you can: 世界 🎉" };
const schema = {
  type: "object" as const,
  properties: {
    city: { type: "string" },
    unit: { enum: ["celsius", "kelvin"] },
    days: { type: "integer", minimum: 2 },
    places: { type: "array", items: { type: "object", properties: { id: { type: "number" } } } },
  },
  required: ["city"],
};
const toolInput = { city: user.content, unit: "celsius", days: 2, places: [{ id: 1 }] };

describe("openai", () => {
  const tools = [
    { type: "function" as const, function: { name: "weather", parameters: schema } },
    { type: "function" as const, function: { name: "time" } },
  ];

  test("an answer and a stream say the same", async () => {
    const body = { model: "echo", messages: [user] };
    const whole = await openai.chat.completions.create(body);
    expect(whole.choices[0]?.message.content).toBe(user.content);
    const stream = openai.chat.completions.stream({
      ...body,
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(user.content);
    expect(final.usage).toEqual(whole.usage);
    expect(final.id).toBe(whole.id);
  });

  test.each(["required" as const, { type: "function" as const, function: { name: "weather" } }])(
    "calls a tool: %j, then answers its result",
    async (tool_choice) => {
      const body = { model: "echo", messages: [user], tools, tool_choice };
      const whole = await openai.chat.completions.create(body);
      const streamed = await openai.chat.completions.stream(body).finalChatCompletion();
      for (const { message, finish_reason } of [whole.choices[0], streamed.choices[0]].filter(
        (choice) => choice !== undefined,
      )) {
        expect(finish_reason).toBe("tool_calls");
        expect(message.content).toBeNull();
        const [call] = message.tool_calls ?? [];
        if (call?.type !== "function") throw new Error("no call of a function");
        expect(call.function.name).toBe("weather");
        expect(JSON.parse(call.function.arguments)).toEqual(toolInput);
        const result = { role: "tool" as const, tool_call_id: call.id, content: "12 °C" };
        const next = await openai.chat.completions.create({
          ...body,
          messages: [user, message, result],
        });
        expect(next.choices[0]?.message.content).toBe("The tool answered: 12 °C");
      }
    },
  );

  test("the arguments of a streamed call come in several chunks", async () => {
    const body = { model: "echo-tools", messages: [user], tools, stream: true as const };
    let chunks = 0;
    for await (const chunk of await openai.chat.completions.create(body)) {
      const call = chunk.choices[0]?.delta.tool_calls?.[0];
      if ((call?.function?.arguments ?? "") !== "") chunks += 1;
    }
    expect(chunks).toBeGreaterThan(3);
  });

  test.each([
    ["none" as const, "Please call a tool", false],
    ["auto" as const, "Please call a tool", true],
    ["auto" as const, "Please say hello", false],
  ])("tool_choice %s with %j: calls %s", async (tool_choice, content, calls) => {
    const messages = [{ role: "user" as const, content }];
    const answer = await openai.chat.completions.create({
      model: "echo",
      messages,
      tools,
      tool_choice,
    });
    expect(answer.choices[0]?.message.tool_calls !== undefined).toBe(calls);
  });

  test.each([
    ["fault-400", OpenAI.BadRequestError],
    ["fault-401", OpenAI.AuthenticationError],
    ["fault-403", OpenAI.PermissionDeniedError],
    ["no-such-model", OpenAI.NotFoundError],
    ["fault-429", OpenAI.RateLimitError],
    ["fault-500", OpenAI.InternalServerError],
    ["fault-529", OpenAI.InternalServerError],
    ["fault-reset", OpenAI.APIConnectionError],
  ])("%s is its exception", async (model, exception) => {
    for (const stream of [false, true]) {
      const call = openai.chat.completions.create({ model, messages: [user], stream });
      await expect(call).rejects.toBeInstanceOf(exception);
    }
  });

  test("another credential is an AuthenticationError", async () => {
    const stranger = openai.withOptions({ apiKey: "another" });
    const call = stranger.chat.completions.create({ model: "echo", messages: [user] });
    await expect(call).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  test.each(["fault-error-in-2xx", "fault-mid-stream-error"])(
    "%s breaks a stream",
    async (model) => {
      const stream = openai.chat.completions.stream({ model, messages: [user] });
      await expect(stream.finalChatCompletion()).rejects.toBeInstanceOf(OpenAI.APIError);
    },
  );

  test.each(["fault-comments", "fault-gzip", "fault-br"])(
    "reads %s as if nothing were",
    async (model) => {
      const stream = openai.chat.completions.stream({ model, messages: [user] });
      expect(await stream.finalContent()).toBe(user.content);
      const whole = await openai.chat.completions.create({ model, messages: [user] });
      expect(whole.choices[0]?.message.content).toBe(user.content);
    },
  );

  test.each(["fault-split", "fault-split-crlf"])("reads %s", async (model) => {
    const stream = openai.chat.completions.stream({ model, messages: [user] });
    const whole = await openai.chat.completions.create({ model, messages: [user] });
    expect(await stream.finalContent()).toBe(whole.choices[0]?.message.content);
  });

  test("lists models", async () => {
    const ids = [];
    for await (const model of openai.models.list()) ids.push(model.id);
    expect(ids).toContain("echo");
  });
});

describe("anthropic", () => {
  const tools = [
    { name: "weather", input_schema: schema },
    { name: "time", input_schema: { type: "object" as const } },
  ];
  const ask = { model: "echo", max_tokens: 1_000, messages: [user] };

  test("an answer and a stream say the same", async () => {
    const whole = await anthropic.messages.create(ask);
    expect(whole.content).toEqual([{ type: "text", citations: null, text: user.content }]);
    const final = await anthropic.messages.stream(ask).finalMessage();
    expect(final).toMatchObject(whole);
  });

  test.each([{ type: "any" as const }, { type: "tool" as const, name: "weather" }])(
    "calls a tool: %j, then answers its result",
    async (tool_choice) => {
      const body = { ...ask, tools, tool_choice };
      const whole = await anthropic.messages.create(body);
      const streamed = await anthropic.messages.stream(body).finalMessage();
      expect(streamed).toMatchObject(whole);
      const [call] = whole.content;
      if (call?.type !== "tool_use") throw new Error("no tool_use");
      expect(whole.stop_reason).toBe("tool_use");
      expect(call.name).toBe("weather");
      expect(call.input).toEqual(toolInput);
      const result = { type: "tool_result" as const, tool_use_id: call.id, content: "12 °C" };
      const next = await anthropic.messages.create({
        ...body,
        messages: [
          user,
          { role: "assistant", content: whole.content },
          { role: "user", content: [result] },
        ],
      });
      expect(next.content[0]).toMatchObject({ text: "The tool answered: 12 °C" });
    },
  );

  test.each([
    ["none" as const, "Please call a tool", "text"],
    ["auto" as const, "Please call a tool", "tool_use"],
    ["auto" as const, "Please say hello", "text"],
  ])("tool_choice %s with %j: %s", async (type, content, block) => {
    const messages = [{ role: "user" as const, content }];
    const answer = await anthropic.messages.create({
      ...ask,
      messages,
      tools,
      tool_choice: { type },
    });
    expect(answer.content[0]?.type).toBe(block);
  });

  test.each([
    ["fault-400", Anthropic.BadRequestError],
    ["fault-401", Anthropic.AuthenticationError],
    ["fault-403", Anthropic.PermissionDeniedError],
    ["no-such-model", Anthropic.NotFoundError],
    ["fault-429", Anthropic.RateLimitError],
    ["fault-500", Anthropic.InternalServerError],
    ["fault-529", Anthropic.InternalServerError],
    ["fault-reset", Anthropic.APIConnectionError],
  ])("%s is its exception", async (model, exception) => {
    for (const stream of [false, true]) {
      const call = anthropic.messages.create({ ...ask, model, stream });
      await expect(call).rejects.toBeInstanceOf(exception);
    }
  });

  test("another credential is an AuthenticationError", async () => {
    const call = anthropic.withOptions({ apiKey: "another" }).messages.create(ask);
    await expect(call).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });

  test.each(["fault-error-in-2xx", "fault-mid-stream-error"])(
    "%s breaks a stream",
    async (model) => {
      const stream = anthropic.messages.stream({ ...ask, model });
      await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError);
    },
  );

  test.each(["fault-comments", "fault-gzip", "fault-br"])(
    "reads %s as if nothing were",
    async (model) => {
      expect(await anthropic.messages.stream({ ...ask, model }).finalText()).toBe(user.content);
      const whole = await anthropic.messages.create({ ...ask, model });
      expect(whole.content[0]).toMatchObject({ text: user.content });
    },
  );

  test.each(["fault-split", "fault-split-crlf"])("reads %s", async (model) => {
    const whole = await anthropic.messages.create({ ...ask, model });
    const text = await anthropic.messages.stream({ ...ask, model }).finalText();
    expect(whole.content[0]).toMatchObject({ text });
  });

  test("lists models", async () => {
    const ids = [];
    for await (const model of anthropic.models.list()) ids.push(model.id);
    expect(ids).toContain("echo");
  });
});
