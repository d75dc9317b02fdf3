import { answerOf, answerTo, generated, isGenerated } from "./answer.ts";
import { accepts, createEncoder, type ContentCoding } from "./compression.ts";
import { sendError, sendJson, type DemoExchange } from "./exchange.ts";
import { tokensMax } from "./parameters.ts";
import type { ErrorKind, ProviderError } from "./provider-error.ts";
import { piecesOf, type Rendering } from "./rendering.ts";
import { begin, render, rendered, sendAnswer, sendTokens } from "./sending.ts";
import { awkwardPieces, awkwardText } from "./split-bytes.ts";
import { generatedTokens, textTokens } from "./token-text.ts";

/** The way in which a model answers. */
export type Behaviour = (exchange: DemoExchange) => Promise<void> | void;

const overloaded: ProviderError = { kind: "overloaded", message: "Overloaded" };
const serverFailed: ProviderError = {
  kind: "server",
  message: "The server had an error while processing your request.",
};
const retryAfterSeconds = 7;
const tooLargeTokenBytes = 1_024;

/** The faults of a real provider, each with a model name. All take the parameters of `echo`. */
export const faults: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ["fault-400", status("invalid_request", "This model refuses every request.")],
  ["fault-401", status("authentication", "Incorrect API key provided.")],
  ["fault-403", status("permission", "Your credential may not use this model.")],
  ["fault-429", rateLimited],
  ["fault-500", status(serverFailed.kind, serverFailed.message)],
  ["fault-529", status(overloaded.kind, overloaded.message)],
  ["fault-error-in-2xx", errorIn2xx],
  ["fault-cut", cut],
  ["fault-reset", (exchange) => exchange.outlet.reset()],
  ["fault-mid-stream-reset", midStreamReset],
  ["fault-mid-stream-error", midStreamError],
  ["fault-stall", stall],
  ["fault-stall-headers", (exchange) => exchange.outlet.untilGone()],
  ["fault-too-large", tooLarge],
  ["fault-split", (exchange) => split(exchange, "\n")],
  ["fault-split-crlf", (exchange) => split(exchange, "\r\n")],
  ["fault-comments", comments],
  ["fault-gzip", (exchange) => compressed(exchange, "gzip")],
  ["fault-br", (exchange) => compressed(exchange, "br")],
  ["fault-zstd", (exchange) => compressed(exchange, "zstd")],
]);

function status(kind: ErrorKind, message: string): Behaviour {
  return (exchange) => {
    sendError(exchange, { kind, message });
  };
}

function rateLimited(exchange: DemoExchange): void {
  const error: ProviderError = { kind: "rate_limit", message: "Rate limit reached for requests." };
  const headers = exchange.format.rateLimitHeaders();
  sendError(exchange, error, ["retry-after", String(retryAfterSeconds), ...headers]);
}

/** 200, and then an error as the whole body or the first event. */
function errorIn2xx(exchange: DemoExchange): void {
  const { format, outlet, request, requestId } = exchange;
  if (!request.stream) {
    sendJson(exchange, 200, format.errorJson(overloaded, requestId));
    return;
  }
  begin(exchange);
  outlet.end(format.errorEvent(overloaded, requestId));
}

/** SSE: a proper end without the terminal event. JSON: a reset within the body. */
async function cut(exchange: DemoExchange): Promise<void> {
  if (!exchange.request.stream) {
    await midStreamReset(exchange);
    return;
  }
  if (await sendHalf(exchange)) exchange.outlet.end();
}

async function midStreamReset(exchange: DemoExchange): Promise<void> {
  if (!(await sendHalf(exchange))) return;
  // A reset drops bytes that the kernel does not have yet.
  await exchange.outlet.sent();
  exchange.outlet.reset();
}

/** SSE: the wire's error event after half of the tokens. JSON: the same failure is a plain 500. */
async function midStreamError(exchange: DemoExchange): Promise<void> {
  if (!exchange.request.stream) {
    sendError(exchange, serverFailed);
    return;
  }
  if (!(await sendHalf(exchange))) return;
  exchange.outlet.end(exchange.format.errorEvent(serverFailed, exchange.requestId));
}

async function stall(exchange: DemoExchange): Promise<void> {
  if (await sendHalf(exchange)) await exchange.outlet.untilGone();
}

/** Grows until the client stops reading: 10 GB by default. */
async function tooLarge(exchange: DemoExchange): Promise<void> {
  const { request, outlet } = exchange;
  const { tokens, tokenBytes } = request.parameters;
  const text = generatedTokens(tokens ?? tokensMax, tokenBytes ?? tooLargeTokenBytes);
  const answer = answerOf({ ...request, outputTokensMax: null }, text, null);
  const rendering = render(exchange, answer);
  begin(exchange);
  await sendTokens(exchange, rendering, rendering.tokenCount);
  if (!outlet.gone) outlet.end();
}

/** Sends `awkwardText` (or generated tokens) in pieces cut at every awkward byte, a tick apart. */
async function split(exchange: DemoExchange, lineEnd: "\n" | "\r\n"): Promise<void> {
  const { outlet, request } = exchange;
  const { parameters } = request;
  const text = isGenerated(parameters) ? generated(parameters) : textTokens(awkwardText);
  begin(exchange);
  let carried: Buffer = Buffer.alloc(0);
  for (const part of piecesOf(render(exchange, answerOf(request, text, null)))) {
    // The JSON has no line feeds here, so all of them belong to the stream.
    const bytes = Buffer.from(part.replaceAll("\n", lineEnd));
    const pieces = awkwardPieces(Buffer.concat([carried, bytes]));
    // The end of a frame is sent with the beginning of the next one.
    carried = pieces.pop() ?? carried;
    for (const piece of pieces) {
      outlet.write(piece);
      await outlet.sent();
      if (outlet.gone) return;
    }
  }
  outlet.write(carried);
  outlet.end();
}

/**
 * Sends comments and pings before every event, and a comment inside each event. A JSON answer can't
 * have any.
 */
async function comments(exchange: DemoExchange): Promise<void> {
  const answer = rendered(exchange);
  if (answer === undefined) return;
  const { stream } = exchange.request;
  const commented = (event: string) =>
    `: processing\n\n:\n\n${exchange.format.pingEvent}: within an event\n${event}`;
  const rendering: Rendering = {
    opening: answer.opening.map(commented),
    tokenCount: answer.tokenCount,
    token: (index) => commented(answer.token(index)),
    closing: answer.closing.map(commented),
  };
  await sendAnswer(exchange, stream ? rendering : answer);
}

/**
 * Sends a compressed answer if the request allows it, and flushes after each event; otherwise a
 * plain answer.
 */
async function compressed(exchange: DemoExchange, coding: ContentCoding): Promise<void> {
  const answer = rendered(exchange);
  if (answer === undefined) return;
  if (!accepts(exchange.acceptEncoding, coding)) {
    await sendAnswer(exchange, answer);
    return;
  }
  const { outlet } = exchange;
  begin(exchange, ["content-encoding", coding, "vary", "accept-encoding"]);
  outlet.encode(createEncoder[coding]());
  await sendTokens(exchange, answer, answer.tokenCount);
  for (const piece of answer.closing) outlet.write(piece);
  outlet.end();
}

/** Begins the answer and sends half of its tokens, at least one. False: nothing more to do. */
async function sendHalf(exchange: DemoExchange): Promise<boolean> {
  const answer = answerTo(exchange.request);
  if (!answer.ok) {
    sendError(exchange, answer.error);
    return false;
  }
  const rendering = render(exchange, answer.value);
  begin(exchange);
  await sendTokens(exchange, rendering, Math.ceil(rendering.tokenCount / 2));
  return !exchange.outlet.gone;
}
