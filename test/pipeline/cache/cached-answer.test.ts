import { describe, expect, it } from "vitest";
import { cachedJson, cachedStream } from "../../../src/pipeline/cache/cached-answer.ts";

const json = Buffer.from('{"id":"c"}');
const stream = Buffer.from('data: {"id":"c"}\n\ndata: [DONE]\n\n');

/** What is kept of a JSON answer and of a stream with this header besides. */
function kept(encoding: readonly string[]): readonly (string | undefined)[] {
  const answer = (type: string, body: Buffer) => ({
    kind: "held" as const,
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
