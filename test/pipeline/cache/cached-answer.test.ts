import { describe, expect, it } from "vitest";
import type { Wire } from "../../../src/contract/wire.ts";
import { cachedJson, cachedStream } from "../../../src/pipeline/cache/cached-answer.ts";

const json = Buffer.from('{"id":"c"}');
const stream = Buffer.from('data: {"id":"c"}\n\ndata: [DONE]\n\n');

/** What is kept of a JSON answer and of a stream with this header besides. */
function kept(encoding: readonly string[]): readonly (string | undefined)[] {
  const answer = (type: string, body: Buffer) => ({
    kind: "buffered" as const,
    status: 200,
    headers: ["content-type", type, ...encoding],
    body,
  });
  return [
    cachedJson(answer("application/json", json)),
    cachedStream("chat", answer("text/event-stream", stream)),
  ].map((cached) => cached?.body.toString());
}

describe("an answer is kept", () => {
  // The header is not, and a decoder may be put in front of what only looks plain.
  it.each(["gzip", "br", "identity, gzip", "x-unknown"])("not in the encoding %s", (encoding) => {
    expect(kept(["content-encoding", encoding])).toEqual([undefined, undefined]);
  });

  it.each([[], ["content-encoding", "identity"], ["content-encoding", ""]])(
    "as it is, with the headers %j %j",
    (...encoding) => {
      expect(kept(encoding)).toEqual([json.toString(), stream.toString()]);
    },
  );
});

describe("of a stream is kept", () => {
  const headers = ["content-type", "text/event-stream"];
  const chatEvent = 'data: {"id":"c","error":null}\n\n';
  const delta = (text: string): string =>
    `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"${text}"}}\n\n`;
  const stop = 'data: {"type":"message_stop"}';

  it.each<[what: string, wire: Wire, text: string, eventEnds: readonly number[] | undefined]>([
    ["where an error is null", "chat", `${chatEvent}data: [DONE]\n\n`, [31, 45]],
    ["a last event without an empty line", "chat", `${chatEvent}data: [DONE]\n`, [31, 44]],
    ["nothing without its last event", "chat", chatEvent, undefined],
    ["all of messages", "messages", `${delta("a")}${stop}\n\n`, [79, 110]],
    [
      "nothing of messages that only speak of the last event",
      "messages",
      delta("message_stop"),
      undefined,
    ],
  ])("%s", (_, wire, text, eventEnds) => {
    const cached = cachedStream(wire, { status: 200, headers, body: Buffer.from(text) });
    expect(cached?.body.toString()).toBe(eventEnds === undefined ? undefined : text);
    expect(cached?.eventEnds).toEqual(
      eventEnds === undefined ? undefined : Uint32Array.from(eventEnds),
    );
  });
});
