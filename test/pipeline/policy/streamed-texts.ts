import fc from "fast-check";
import { anyText } from "../../detectors/patterns.ts";

/** One text that a stream brings in pieces. */
export interface Streamed {
  readonly kind: "text" | "arguments";
  readonly pieces: readonly string[];
}

export const sse = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`;

/** The texts as events of chat: choices that alternate, each with texts and tool calls. */
export function chatEvents(choices: readonly (readonly Streamed[])[]): string[] {
  const perChoice = choices.map((texts, index) =>
    texts.flatMap(({ kind, pieces }, at) =>
      pieces.map((piece) => {
        const delta =
          kind === "text"
            ? { content: piece }
            : { tool_calls: [{ index: at, function: { arguments: piece } }] };
        return sse({ id: "c", choices: [{ index, delta, finish_reason: null }] });
      }),
    ),
  );
  const longest = Math.max(...perChoice.map(({ length }) => length));
  const woven = Array.from({ length: longest }, (_, i) =>
    perChoice.flatMap((events) => events.slice(i, i + 1)),
  ).flat();
  const ends = choices.map((_, index) =>
    sse({ id: "c", choices: [{ index, delta: {}, finish_reason: "stop" }] }),
  );
  return [...woven, ...ends, "data: [DONE]\n\n"];
}

/** The texts as blocks of messages. */
export function messagesEvents(blocks: readonly Streamed[]): string[] {
  const event = (type: string, more: object): string => `event: ${type}\n${sse({ type, ...more })}`;
  return [
    event("message_start", { message: { id: "m", role: "assistant", content: [] } }),
    ...blocks.flatMap(({ kind, pieces }, index) => [
      event("content_block_start", {
        index,
        content_block: kind === "text" ? { type: kind, text: "" } : { type: "tool_use", input: {} },
      }),
      event("ping", {}),
      ...pieces.map((piece) =>
        event("content_block_delta", {
          index,
          delta:
            kind === "text"
              ? { type: "text_delta", text: piece }
              : { type: "input_json_delta", partial_json: piece },
        }),
      ),
      event("content_block_stop", { index }),
    ]),
    event("message_stop", {}),
  ];
}

interface Payload {
  readonly choices?: readonly {
    readonly index: number;
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly function: { readonly arguments: string };
      }[];
    };
  }[];
  readonly type?: string;
  readonly index?: number;
  readonly delta?: { readonly text?: string; readonly partial_json?: string };
}

/** The texts that a client puts together, by where they stand. */
export function textsOf(stream: string): Record<string, string> {
  const texts: Record<string, string> = {};
  const add = (name: string, text: string | undefined): void => {
    if (text !== undefined) texts[name] = (texts[name] ?? "") + text;
  };
  for (const line of stream.split("\n").filter((one) => one.startsWith("data: {"))) {
    const { choices = [], type, index, delta } = JSON.parse(line.slice(6)) as Payload;
    for (const { index: choice, delta: part } of choices) {
      add(`${choice}`, part.content);
      for (const call of part.tool_calls ?? []) {
        add(`${choice}.${call.index}`, call.function.arguments);
      }
    }
    if (type === "content_block_delta") add(`${index}`, delta?.text ?? delta?.partial_json);
  }
  return texts;
}

function cuts(length: number, cutsMax: number): fc.Arbitrary<readonly number[]> {
  return fc
    .array(fc.nat(length), { maxLength: cutsMax })
    .map((at) => [0, ...at.toSorted((a, b) => a - b), length]);
}

const inPieces = (text: string): fc.Arbitrary<string[]> =>
  cuts(text.length, 8).map((at) => at.slice(1).map((end, i) => text.slice(at[i], end)));

/** Bytes cut anywhere, in the middle of an event or of a character. */
export function inChunks(stream: string): fc.Arbitrary<Buffer[]> {
  const bytes = Buffer.from(stream);
  return cuts(bytes.length, 20).map((at) =>
    at.slice(1).map((end, i) => bytes.subarray(at[i], end)),
  );
}

const anyArguments = fc
  .dictionary(anyText, fc.oneof(anyText, fc.integer(), fc.array(anyText, { maxLength: 2 })), {
    maxKeys: 3,
  })
  .map((value) => JSON.stringify(value));

export const anyStreamed: fc.Arbitrary<Streamed> = fc.oneof(
  anyText.chain(inPieces).map((pieces) => ({ kind: "text", pieces }) as const),
  anyArguments.chain(inPieces).map((pieces) => ({ kind: "arguments", pieces }) as const),
);
