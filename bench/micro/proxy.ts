import { observeEvents } from "../../src/proxy/relay/event-observation.ts";
import { readFraming } from "../../src/proxy/listener/framing.ts";
import { SseTap } from "../../src/proxy/relay/sse.ts";
import {
  answerHeaders,
  byokHeaders,
  payThroughHeaders,
} from "../../src/exchange/forward-headers.ts";
import { admittedHeaders } from "../../src/pipeline/limits/rate-headers.ts";
import { accountCall } from "../../src/pipeline/upstream/upstream-request.ts";
import { usageRequest } from "../../src/pipeline/money/usage-request.ts";
import { usageObserver, UsageTap } from "../../src/pipeline/money/usage-tap.ts";
import { openAiCandidates } from "./candidates.ts";
import { inspected } from "./inspected.ts";
import type { OpenSuite, Piece, Suite } from "./suite.ts";
import { chatBody, chatEvents } from "./texts.ts";
import { time } from "./timing.ts";

/** Framing, headers and the taps on a stream: the costs of every relayed request. */
export const proxySuite: Suite = { id: "proxy", group: "Framing, headers, streams", open };

/** Headers as an SDK sends them. */
const requestHeaders = [
  ["host", "127.0.0.1:8787"],
  ["connection", "keep-alive"],
  ["accept", "application/json"],
  ["content-type", "application/json"],
  ["user-agent", "OpenAI/JS 7.55.0"],
  ["x-stainless-lang", "js"],
  ["x-stainless-package-version", "7.55.0"],
  ["x-stainless-os", "Linux"],
  ["x-stainless-arch", "x64"],
  ["x-stainless-runtime", "node"],
  ["x-stainless-runtime-version", "v22.22.3"],
  ["x-stainless-retry-count", "0"],
  ["authorization", `Bearer sk-gw-${"0123456789abcdef".repeat(3)}`],
  ["accept-encoding", "gzip, deflate, br"],
  ["content-length", "1024"],
].flat();

const upstreamHeaders = [
  ["date", "Sat, 21 Nov 2026 08:00:00 GMT"],
  ["content-type", "text/event-stream; charset=utf-8"],
  ["transfer-encoding", "chunked"],
  ["connection", "keep-alive"],
  ["x-request-id", "req_0123456789abcdef"],
  ["openai-processing-ms", "412"],
  ["x-ratelimit-limit-requests", "10000"],
  ["x-ratelimit-remaining-requests", "9999"],
  ["set-cookie", "__cf_bm=0123456789; path=/"],
  ["alt-svc", 'h3=":443"; ma=86400'],
].flat();

function open(): OpenSuite {
  return { pieces: [...headers(), ...streams()] };
}

function headers(): Piece[] {
  const body = inspected(chatBody(1_024));
  const [candidate] = openAiCandidates();
  const { model } = body;
  if (candidate === undefined || model === null) throw new Error("the request has no model");
  const head = {
    method: "POST",
    path: "/v1/chat/completions",
    query: "",
    headers: requestHeaders,
  };
  const window = {
    limit: 600,
    remaining: 599,
    resetUnixSeconds: 1_795_000_000,
    resetAfterSeconds: 42,
  };
  return [
    time("framing", { label: "Check the framing of a request" }, () =>
      readFraming("POST", requestHeaders),
    ),
    time("headers/pay-through", { label: "Headers to a provider, pay-through" }, () =>
      payThroughHeaders(requestHeaders, candidate.account, "chat"),
    ),
    time("headers/own-keys", { label: "Headers to a provider, own keys" }, () =>
      byokHeaders(requestHeaders),
    ),
    time("headers/answer", { label: "Headers of the answer, with both rate limits" }, () =>
      answerHeaders(upstreamHeaders, admittedHeaders(window, window)),
    ),
    time("call", { label: "A streamed request as it goes upstream: usage asked, spliced" }, () =>
      accountCall(head, "chat", body, model, candidate, usageRequest("chat", body)),
    ),
  ];
}

function streams(): Piece[] {
  const events = chatEvents(100);
  const burst = [Buffer.concat(events)];
  const per = events.length;
  return [
    time("sse/tap", { label: "SSE tap, an event a chunk", per }, () => tapped(events)),
    time("sse/tap/burst", { label: "SSE tap, 100 events a chunk", per }, () => tapped(burst)),
    time("sse/watch", { label: "Tap and usage, own keys, an event a chunk", per }, () =>
      observed(events, false),
    ),
    time("sse/filter", { label: "Tap and usage, pay-through, an event a chunk", per }, () =>
      observed(events, true),
    ),
    time("sse/filter/burst", { label: "Tap and usage, pay-through, 100 a chunk", per }, () =>
      observed(burst, true),
    ),
  ];
}

function tapped(chunks: readonly Buffer[]): string {
  const tap = new SseTap("chat");
  for (const chunk of chunks) tap.push(chunk);
  return tap.finish();
}

/** Does what the relay does with each chunk. */
function observed(chunks: readonly Buffer[], hide: boolean): unknown {
  const tap = new SseTap("chat");
  const usage = new UsageTap("chat");
  const observation = observeEvents(usageObserver(usage, hide));
  for (const chunk of chunks) {
    tap.push(chunk);
    observation.push(chunk);
  }
  observation.finish();
  return usage.finish();
}
