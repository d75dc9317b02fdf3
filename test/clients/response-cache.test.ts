import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startObservedProvider, type ObservedProvider } from "../support/provider.ts";

let provider: ObservedProvider;
let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;

const cached = { "X-Svc-Cache": "on", "X-Svc-Cache-Ttl": "600" };

beforeAll(async () => {
  provider = await startObservedProvider();
  gateway = await startGateway({
    config: {
      providers: [provider.account("p")],
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
    // Each of several threads would have a cache of its own.
    env: { GATEWAY_PROXY_THREADS: "1" },
  });
  const options = { maxRetries: 0, defaultHeaders: cached, apiKey: gateway.key };
  openai = new OpenAI({ ...options, baseURL: `${gateway.url}/v1` });
  anthropic = new Anthropic({ ...options, baseURL: gateway.url });
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});

/** Asks twice: the provider is called once, and both answers are the same but for their ids. */
async function twice<T>(ask: () => Promise<{ answer: T; response: Response }>): Promise<T> {
  const calls = provider.received.length;
  const first = await ask();
  const again = await ask();
  expect(provider.received.length - calls).toBe(1);
  const of = (name: string) => [first, again].map(({ response }) => response.headers.get(name));
  expect(of("x-svc-cache")).toEqual(["miss", "hit"]);
  expect(of("x-svc-cost-calculation-status")[1]).toBe("cache_hit");
  const [one, other] = of("x-svc-request-id");
  expect(one).not.toBe(other);
  expect(again.answer).toEqual(first.answer);
  return again.answer;
}

async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe("the OpenAI SDK gets a cached answer as the first one", () => {
  const messages = [{ role: "user" as const, content: "Hello from the OpenAI SDK" }];
  const tools = [
    {
      type: "function" as const,
      function: { name: "get_weather", parameters: { type: "object" } },
    },
  ];

  test("JSON", async () => {
    const answer = await twice(async () => {
      const request = { model: "p/echo", max_tokens: 50, messages };
      const { data, response } = await openai.chat.completions.create(request).withResponse();
      return { answer: data.choices, response };
    });
    expect(answer[0]?.message.content).toBe("Hello from the OpenAI SDK");
  });

  test.each([false, true])("a stream, its usage asked for: %s", async (asked) => {
    const request = {
      model: "p/echo",
      max_tokens: 50,
      messages,
      stream: true as const,
      ...(asked ? { stream_options: { include_usage: true } } : {}),
    };
    const chunks = await twice(async () => {
      const { data, response } = await openai.chat.completions.create(request).withResponse();
      return { answer: await collected(data), response };
    });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
      "Hello from the OpenAI SDK",
    );
    const last = chunks.at(-1)?.usage?.total_tokens ?? 0;
    expect(last > 0).toBe(asked);
  });

  test("a streamed tool call", async () => {
    const request = { model: "p/echo", max_tokens: 50, messages, tools, stream: true as const };
    const chunks = await twice(async () => {
      const body = { ...request, tool_choice: "required" as const };
      const { data, response } = await openai.chat.completions.create(body).withResponse();
      return { answer: await collected(data), response };
    });
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]?.function?.name).toBe("get_weather");
    const spelled = calls.map((call) => call.function?.arguments ?? "").join("");
    expect(() => JSON.parse(spelled) as unknown).not.toThrow();
  });
});

describe("the Anthropic SDK gets a cached answer as the first one", () => {
  const request = {
    model: "p/echo",
    max_tokens: 50,
    messages: [{ role: "user" as const, content: "Hello from the Anthropic SDK" }],
  };

  test("JSON", async () => {
    const answer = await twice(async () => {
      const { data, response } = await anthropic.messages.create(request).withResponse();
      return { answer: data, response };
    });
    expect(answer.content[0]).toMatchObject({ text: "Hello from the Anthropic SDK" });
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
  });

  test("a stream", async () => {
    const streamed = { ...request, stream: true as const };
    const events = await twice(async () => {
      const { data, response } = await anthropic.messages.create(streamed).withResponse();
      return { answer: await collected(data), response };
    });
    expect(events.at(-1)?.type).toBe("message_stop");
  });

  test("the final message of a stream", async () => {
    const message = await twice(async () => {
      const body = { ...request, max_tokens: 49 };
      const { data: stream, response } = await anthropic.messages.stream(body).withResponse();
      return { answer: await stream.finalMessage(), response };
    });
    expect(message.content[0]).toMatchObject({ text: "Hello from the Anthropic SDK" });
  });

  test("betas are questions of their own", async () => {
    const calls = provider.received.length;
    const betas: Anthropic.Beta.AnthropicBeta[][] = [
      ["token-efficient-tools-2025-02-19"],
      ["output-128k-2025-02-19"],
    ];
    for (const beta of [...betas, ...betas]) {
      await anthropic.beta.messages.create({ ...request, betas: beta });
    }
    expect(provider.received.length - calls).toBe(2);
  });
});
