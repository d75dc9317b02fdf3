import type { BenchWire } from "../subjects/subject.ts";

/** The answer to a chat or messages request, with the same bytes each time. */
export const smallAnswer: Readonly<Record<BenchWire, Buffer>> = {
  chat: Buffer.from(
    JSON.stringify({
      id: "chatcmpl-bench",
      object: "chat.completion",
      created: 1_770_000_000,
      model: "bench",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "The river is wide, and the boat is small." },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 180, completion_tokens: 12, total_tokens: 192 },
    }),
  ),
  messages: Buffer.from(
    JSON.stringify({
      id: "msg_bench",
      type: "message",
      role: "assistant",
      model: "bench",
      content: [{ type: "text", text: "The river is wide, and the boat is small." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 180, output_tokens: 12 },
    }),
  ),
};

/** The text before and after the events of a stream. An event itself carries the time at which it was sent. */
export interface StreamText {
  readonly begin: string;
  /** `sentUs` on the machine's monotonic clock. */
  readonly event: (sentUs: number) => string;
  readonly end: string;
}

const chunk = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_770_000_000,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason: null }],
    ...rest,
  })}\n\n`;

const named = (type: string, rest: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

/** The place of the time in the event from which all others are made. */
const timeMark = "@time@";

function timed(template: string): (sentUs: number) => string {
  const [before = "", after = ""] = template.split(timeMark);
  return (sentUs) => before + String(sentUs) + after;
}

export const streamText: Readonly<Record<BenchWire, StreamText>> = {
  chat: {
    begin: "",
    event: timed(chunk({ content: `<${timeMark}> word ` })),
    end:
      chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
      chunk(
        {},
        { choices: [], usage: { prompt_tokens: 180, completion_tokens: 200, total_tokens: 380 } },
      ) +
      "data: [DONE]\n\n",
  },
  messages: {
    begin:
      named("message_start", {
        message: {
          id: "msg_bench",
          type: "message",
          role: "assistant",
          model: "bench",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 180, output_tokens: 1 },
        },
      }) + named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event: timed(
      named("content_block_delta", {
        index: 0,
        delta: { type: "text_delta", text: `<${timeMark}> word ` },
      }),
    ),
    end:
      named("content_block_stop", { index: 0 }) +
      named("message_delta", {
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 200 },
      }) +
      named("message_stop", {}),
  },
};

/** Microseconds on the clock that all processes of a machine share. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
