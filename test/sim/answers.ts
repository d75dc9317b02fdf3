import type { Wire } from "../../src/contract/wire.ts";
import type { Random } from "./random.ts";

/** Micro-dollars of a token. */
export const inputMicroUsd = 10;
export const outputMicroUsd = 30;

/** A part of an answer's body. */
export interface AnswerPart {
  readonly text: string;
  /** What the provider has charged, in micro-dollars, once this part is out; null: not told. */
  readonly charge: number | null;
}

/** How a provider answers one call. */
export interface PlannedAnswer {
  readonly connects: boolean;
  readonly status: number;
  readonly contentType: string;
  readonly parts: readonly AnswerPart[];
  /** How it ends after its parts. */
  readonly end: "closed" | "reset" | "stalled";
}

export interface AnswerOrder {
  readonly wire: Wire;
  /** Whether a count of tokens is asked for, which is free. */
  readonly isCount: boolean;
  /** The answer's. */
  readonly id: string;
  readonly stream: boolean;
  readonly outputTokensMax: number;
  /** Probability of every kind of failure. */
  readonly failures: number;
  /** Probability that it writes more than it was allowed to. */
  readonly excess: number;
}

/** A provider's answer: most are good, the others are whatever providers do. */
export function planAnswer(order: AnswerOrder, random: Random): PlannedAnswer {
  const { failures } = order;
  if (random.chance(failures)) return { ...failing(503), connects: false };
  if (random.chance(failures)) return failing(random.pick(400, 401, 429, 500, 503, 504));
  const parts = order.stream ? streamParts(order, random) : jsonParts(order, random);
  const contentType = order.stream ? "text/event-stream" : "application/json";
  const good = { connects: true, status: 200, contentType } as const;
  if (!random.chance(failures * 2)) return { ...good, parts, end: "closed" };
  const kept = parts.slice(0, random.integer(0, parts.length - 1));
  const next = parts[kept.length]?.text ?? "";
  const half = { text: next.slice(0, Math.floor(next.length / 2)), charge: null };
  const end = random.pick("closed", "reset", "stalled");
  // A body that closes early with a good length would be a whole one.
  if (!order.stream) return { ...good, parts: [half], end: end === "closed" ? "reset" : end };
  return { ...good, parts: random.chance(0.5) ? [...kept, half] : kept, end };
}

function failing(status: number): PlannedAnswer {
  const text = '{"error":{"message":"no"}}';
  const parts = [{ text, charge: null }];
  return { connects: true, status, contentType: "application/json", parts, end: "closed" };
}

interface Tokens {
  readonly input: number;
  readonly output: number;
}

function tokensOf({ outputTokensMax, excess }: AnswerOrder, random: Random): Tokens {
  // More than was asked for: the hold was too small.
  const factor = random.chance(excess) ? random.between(1, 6) : random.next();
  return { input: random.integer(0, 60), output: Math.floor(outputTokensMax * factor) };
}

function chargeOf({ input, output }: Tokens): number {
  return input * inputMicroUsd + output * outputMicroUsd;
}

interface Usage {
  /** The member with its comma; empty where the provider does not tell. */
  readonly member: string;
  readonly charge: number | null;
}

function usageOf(order: AnswerOrder, random: Random): Usage {
  if (random.chance(order.failures)) return { member: "", charge: null };
  const tokens = tokensOf(order, random);
  const { input, output } = tokens;
  if (order.wire === "embeddings") {
    const member = `,"usage":{"prompt_tokens":${input},"total_tokens":${input}}`;
    return { member, charge: chargeOf({ input, output: 0 }) };
  }
  if (order.wire !== "chat") {
    const member = `,"usage":{"input_tokens":${input},"output_tokens":${output}}`;
    return { member, charge: chargeOf(tokens) };
  }
  const counts = `"prompt_tokens":${input},"completion_tokens":${output},"total_tokens":${input + output}`;
  if (!random.chance(0.2)) return { member: `,"usage":{${counts}}`, charge: chargeOf(tokens) };
  // Some providers name the price themselves.
  const charge = random.integer(0, chargeOf(tokens) * 2);
  return { member: `,"usage":{${counts},"cost":${(charge / 1e6).toFixed(6)}}`, charge };
}

function jsonParts(order: AnswerOrder, random: Random): AnswerPart[] {
  if (random.chance(order.failures)) {
    const error = '"error":{"message":"no"}';
    const text = order.wire === "messages" ? `{"type":"error",${error}}` : `{${error}}`;
    return [{ text, charge: null }];
  }
  if (order.isCount) return [{ text: `{"input_tokens":${random.integer(0, 60)}}`, charge: null }];
  const { member, charge } = usageOf(order, random);
  const shape = `"type":"message","choices":[{"index":0}],"status":"completed"`;
  return [{ text: `{"id":"${order.id}",${shape}${member}}`, charge }];
}

function streamParts(order: AnswerOrder, random: Random): AnswerPart[] {
  if (order.wire === "responses") return responsesParts(order, random);
  return order.wire === "chat" ? chatParts(order, random) : messagesParts(order, random);
}

const silent = (text: string): AnswerPart => ({ text, charge: null });

function chatParts(order: AnswerOrder, random: Random): AnswerPart[] {
  const delta = silent('data: {"choices":[{"delta":{"content":"Paris"}}]}\n\n');
  const deltas = Array<AnswerPart>(random.integer(0, 8)).fill(delta);
  if (random.chance(order.failures)) {
    return [...deltas, silent('data: {"error":{"message":"no"}}\n\n')];
  }
  const { member, charge } = usageOf(order, random);
  const usage = { text: `data: {"choices":[]${member}}\n\n`, charge };
  return [...deltas, usage, silent("data: [DONE]\n\n")];
}

function messagesParts(order: AnswerOrder, random: Random): AnswerPart[] {
  const tokens = tokensOf(order, random);
  const delta = silent(event("content_block_delta", ',"delta":{"text":"Paris"}'));
  return [
    {
      text: event(
        "message_start",
        `,"message":{"usage":{"input_tokens":${tokens.input},"output_tokens":1}}`,
      ),
      charge: chargeOf({ input: tokens.input, output: 1 }),
    },
    ...Array<AnswerPart>(random.integer(0, 8)).fill(delta),
    {
      text: event("message_delta", `,"usage":{"output_tokens":${tokens.output}}`),
      charge: chargeOf(tokens),
    },
    silent(event("message_stop", "")),
  ];
}

function responsesParts(order: AnswerOrder, random: Random): AnswerPart[] {
  const delta = silent(event("response.output_text.delta", ',"delta":"Paris"'));
  const begun = [
    silent(event("response.created", `,"response":{"id":"${order.id}"}`)),
    ...Array<AnswerPart>(random.integer(0, 8)).fill(delta),
  ];
  if (random.chance(order.failures)) return [...begun, silent(event("error", ',"message":"no"'))];
  const { member, charge } = usageOf(order, random);
  const response = `{"id":"${order.id}","status":"completed"${member}}`;
  return [...begun, { text: event("response.completed", `,"response":${response}`), charge }];
}

function event(type: string, more: string): string {
  return `event: ${type}\ndata: {"type":"${type}"${more}}\n\n`;
}
