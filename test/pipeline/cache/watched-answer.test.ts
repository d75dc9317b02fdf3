import { describe, expect, it } from "vitest";
import { WatchedAnswer } from "../../../src/pipeline/cache/watched-answer.ts";
import { cacheAnswerBytesMax } from "../../../src/contract/limits.ts";

/** Room for so many bytes. */
function watched(room: number) {
  const state = { left: room };
  const answer = new WatchedAnswer({
    takeWatchRoom(bytes) {
      if (bytes > state.left) return false;
      state.left -= bytes;
      return true;
    },
    giveWatchRoom: (bytes) => void (state.left += bytes),
  });
  return { state, answer };
}

describe("of a stream on its way into the cache", () => {
  it("all that was sent is kept, and its room is given back", () => {
    const { state, answer } = watched(10);
    answer.begun(200, ["a", "b"]);
    answer.sent(Buffer.from("one"));
    answer.sent(Buffer.from(" two"));
    expect(state.left).toBe(3);
    expect(answer.end()).toEqual({
      status: 200,
      headers: ["a", "b"],
      body: Buffer.from("one two"),
    });
    expect(state.left).toBe(10);
    expect(answer.end()).toBeNull();
    expect(state.left).toBe(10);
  });

  it.each<[what: string, status: number, room: number, bytes: readonly number[]]>([
    ["that is too long", 200, 2 * cacheAnswerBytesMax, [cacheAnswerBytesMax, 1]],
    ["for which there is no room", 200, 10, [6, 6, 1]],
    ["that tells of an error", 429, 10, [5]],
    ["that has nothing in it", 200, 10, []],
  ])("nothing is kept %s, and its room is given back", (_, status, room, bytes) => {
    const { state, answer } = watched(room);
    answer.begun(status, []);
    for (const length of bytes) answer.sent(Buffer.alloc(length));
    expect(answer.end()).toBeNull();
    expect(state.left).toBe(room);
  });

  it("what is sent from a buffer that is used again stays as it was", () => {
    const { answer } = watched(10);
    const chunk = Buffer.from("one");
    answer.begun(200, []);
    answer.sent(chunk);
    chunk.fill("x");
    expect(answer.end()?.body.toString()).toBe("one");
  });
});
