/**
 * What money costs a request: the worst case before it, usage and cost after it. By hand:
 * `node bench/micro/billing.ts`. Target: 5 µs together.
 */
import { Bench } from "tinybench";
import { performance } from "node:perf_hooks";
import { PriceCatalog } from "../../src/billing/catalog.ts";
import { costOf } from "../../src/billing/cost.ts";
import { readSeedPrices } from "../../src/billing/seed-prices.ts";
import { worstCaseMicroUsd } from "../../src/billing/worst-case.ts";
import { JsonScanner } from "../../src/json/scanner.ts";
import { readWorstCaseRequest } from "../../src/pipeline/cost-bounds.ts";
import { readJsonAnswerUsage } from "../../src/pipeline/usage-reader.ts";
import { UsageTap } from "../../src/pipeline/usage-tap.ts";

const startedAt = performance.now();
const catalog = new PriceCatalog(readSeedPrices(), {});
const loadMs = performance.now() - startedAt;
const at = Date.parse("2026-11-01T12:00:00Z");

const body = Buffer.from(
  JSON.stringify({
    model: "gpt-5.1",
    max_completion_tokens: 1024,
    temperature: 0.7,
    messages: [
      { role: "system", content: "You are a helpful assistant. ".repeat(6) },
      { role: "user", content: [{ type: "text", text: "Tell me a story. ".repeat(20) }] },
      { role: "assistant", content: "Once upon a time ".repeat(4) },
      { role: "user", content: "go on" },
    ],
  }),
);
const usage =
  '"usage":{"prompt_tokens":2006,"completion_tokens":300,"total_tokens":2306,"prompt_tokens_details":{"cached_tokens":1920,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":192,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}';
const answer = Buffer.from(
  `{"id":"chatcmpl-1","object":"chat.completion","created":1741569952,"model":"gpt-5.1","choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify("It was a dark and stormy night. ".repeat(30))},"refusal":null},"finish_reason":"stop"}],${usage},"service_tier":"default"}`,
);
const chunk = Buffer.from(
  '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.1","service_tier":"default","choices":[{"index":0,"delta":{"content":" night"},"logprobs":null,"finish_reason":null}],"usage":null}',
);
const lastChunk = Buffer.from(
  `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.1","choices":[],${usage}}`,
);

function read<T>(outcome: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!outcome.ok) throw new Error("refused");
  return outcome.value;
}

const topLevel = new JsonScanner().finish(body, body.length);
if ("reason" in topLevel) throw new Error(topLevel.reason);
const price = read(catalog.priceOf("openai", "gpt-5.1", at));
const request = readWorstCaseRequest("chat", { bytes: body, topLevel });
const report = readJsonAnswerUsage("chat", answer);

const bench = new Bench({ time: 500, warmupTime: 300 });
bench
  .add("find the price", () => void catalog.priceOf("openai", "gpt-5.1", at))
  .add("read the bounds of a request", () => {
    readWorstCaseRequest("chat", { bytes: body, topLevel });
  })
  .add("worst case", () => void worstCaseMicroUsd(request, price, at))
  .add("read the usage of a JSON answer", () => void readJsonAnswerUsage("chat", answer))
  .add("cost", () => void costOf(report, price, at))
  .add("all of a JSON exchange", () => {
    const found = read(catalog.priceOf("openai", "gpt-5.1", at));
    worstCaseMicroUsd(readWorstCaseRequest("chat", { bytes: body, topLevel }), found, at);
    costOf(readJsonAnswerUsage("chat", answer), found, at);
  })
  .add("tap 100 events of a stream and its usage", () => {
    const tap = new UsageTap("chat");
    for (let i = 0; i < 100; i++) tap.push(chunk);
    tap.push(lastChunk);
    tap.finish();
  });
await bench.run();
console.log(`prices.json read, parsed and hashed in ${loadMs.toFixed(1)} ms`);
console.table(
  bench.tasks.map(({ name, result }) => {
    if (result.state !== "completed") throw new Error(`${name}: ${result.state}`);
    return { name, "median µs": Number((result.latency.p50 * 1000).toPrecision(3)) };
  }),
);
