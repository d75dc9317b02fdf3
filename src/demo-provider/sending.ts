import { answerTo, type DemoAnswer } from "./answer.ts";
import { sendError, sendJson, type DemoExchange } from "./exchange.ts";
import { delayMsMax } from "./parameters.ts";
import { piecesOf, type Rendering } from "./rendering.ts";

/** JSON answers up to this many UTF-16 units are sent whole, larger ones in chunks. */
const wholeCharsMax = 65_536;

/** The model's answer in the form that the request asks for, or undefined after an error answer. */
export function rendered(exchange: DemoExchange): Rendering | undefined {
  const answer = answerTo(exchange.request);
  if (answer.ok) return render(exchange, answer.value);
  sendError(exchange, answer.error);
  return undefined;
}

export function render(exchange: DemoExchange, answer: DemoAnswer): Rendering {
  return exchange.request.stream ? exchange.format.stream(answer) : exchange.format.json(answer);
}

/** Answers as a healthy provider does. */
export async function sendAnswer(exchange: DemoExchange, answer: Rendering): Promise<void> {
  const { outlet, request } = exchange;
  if (!request.stream && request.parameters.delayMs > 0) {
    const delayMs = request.parameters.delayMs * answer.tokenCount;
    await outlet.pause(Math.min(delayMs, delayMsMax));
    if (outlet.gone) return;
  }
  if (!request.stream) {
    await sendJsonPieces(exchange, answer);
    return;
  }
  begin(exchange);
  await sendTokens(exchange, answer, answer.tokenCount);
  for (const event of answer.closing) outlet.write(event);
  outlet.end();
}

/** Begins a 200 whose length is not known. */
export function begin(exchange: DemoExchange, headers: readonly string[] = []): void {
  exchange.outlet.begin(200, [
    ...(exchange.request.stream
      ? ["content-type", "text/event-stream; charset=utf-8", "cache-control", "no-cache"]
      : ["content-type", "application/json"]),
    ...[exchange.format.requestIdHeader, exchange.requestId],
    ...headers,
  ]);
}

/**
 * Sends the opening and the first `tokenCount` tokens, each as a write of its own, in a stream with
 * a delay before each. It waits for a slow client, and stops when the client leaves.
 */
export async function sendTokens(
  exchange: DemoExchange,
  answer: Rendering,
  tokenCount: number,
): Promise<void> {
  const { outlet, request } = exchange;
  const delayMs = request.stream ? request.parameters.delayMs : 0;
  for (const event of answer.opening) outlet.write(event);
  for (let index = 0; index < tokenCount && !outlet.gone; index += 1) {
    if (delayMs > 0) await outlet.pause(delayMs);
    if (!outlet.write(answer.token(index))) await outlet.drained();
  }
}

async function sendJsonPieces(exchange: DemoExchange, answer: Rendering): Promise<void> {
  const { outlet } = exchange;
  let begun = false;
  let text = "";
  for (const piece of piecesOf(answer)) {
    text += piece;
    if (text.length < wholeCharsMax) continue;
    if (!begun) begin(exchange);
    begun = true;
    if (!outlet.write(text)) await outlet.drained();
    if (outlet.gone) return;
    text = "";
  }
  if (begun) outlet.end(text);
  else sendJson(exchange, 200, text);
}
