import { beforeEach, afterEach, expect, test, vi } from "vitest";
import {
  logBufferedCharactersMax,
  logBufferedMsMax,
  logRetryMs,
  logWaitingCharactersMax,
} from "../../src/contract/limits.ts";
import { LogOutput } from "../../src/app/log-output.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** An output that takes so many bytes of a write, or fails with a code; null: it does not answer. */
function recorded(takes: () => number | string | null = () => Infinity) {
  const calls: string[] = [];
  const told = { times: 0 };
  const take = (bytes: Uint8Array): number | string | null => {
    const taken = takes();
    if (typeof taken !== "number") return taken;
    calls.push(Buffer.from(bytes.subarray(0, taken)).toString());
    return Math.min(taken, bytes.length);
  };
  const output = new LogOutput(
    {
      write: (bytes, done) => {
        const taken = take(bytes);
        if (typeof taken === "string") done(failure(taken), 0);
        else if (taken !== null) done(null, taken);
      },
      writeSync: (bytes) => {
        const taken = take(bytes);
        if (typeof taken !== "number") throw failure(taken ?? "EAGAIN");
        return taken;
      },
    },
    () => (told.times += 1),
  );
  return { calls, told, output };
}

test("lines gather for a moment and are written in their order", () => {
  const { calls, output } = recorded();
  output.write("a\n");
  output.write("b\n");
  vi.advanceTimersByTime(logBufferedMsMax - 1);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(["a\nb\n"]);
  output.write("c\n");
  vi.advanceTimersByTime(logBufferedMsMax);
  expect(calls).toEqual(["a\nb\n", "c\n"]);
});

test("no more gather than the bound", () => {
  const { calls, output } = recorded();
  output.write("a");
  output.write("b".repeat(logBufferedCharactersMax));
  expect(calls).toEqual([`a${"b".repeat(logBufferedCharactersMax)}`]);
});

test("what a write did not take goes with the next one", () => {
  const { calls, output } = recorded(() => 2);
  output.write("abcde");
  vi.advanceTimersByTime(logBufferedMsMax);
  expect(calls).toEqual(["ab", "cd", "e"]);
});

test("flushing writes what is held", () => {
  const { calls, output } = recorded(() => 2);
  output.write("abc\n");
  output.flushSync();
  expect(calls).toEqual(["ab", "c\n"]);
});

test("a full disk costs lines and nothing else, and is told of once and when there is room", () => {
  let room = false;
  const { calls, told, output } = recorded(() => (room ? Infinity : "ENOSPC"));
  for (let i = 0; i < 3; i += 1) {
    output.write(`${i}\n`);
    vi.advanceTimersByTime(logBufferedMsMax);
  }
  output.write("3\n");
  output.flushSync();
  expect([calls, told.times]).toEqual([[], 1]);
  room = true;
  output.write("4\n");
  vi.advanceTimersByTime(2 * logBufferedMsMax);
  expect(calls[0]).toBe("4\n");
  expect(JSON.parse(calls[1] ?? "")).toMatchObject({ level: 40, dropped: 4 });
});

test("a reader that stands still is waited for, up to a bound, and loses nothing within it", () => {
  let stands = true;
  const { calls, told, output } = recorded(() => (stands ? "EAGAIN" : Infinity));
  output.write("a\n");
  vi.advanceTimersByTime(logBufferedMsMax);
  output.write("b\n");
  vi.advanceTimersByTime(10 * logBufferedMsMax);
  stands = false;
  vi.advanceTimersByTime(logRetryMs + logBufferedMsMax);
  expect([calls, told.times]).toEqual([["a\n", "b\n"], 0]);
});

test("what waits for the output is bounded", () => {
  const { told, output } = recorded(() => null);
  const line = `${"x".repeat(logWaitingCharactersMax / 4 - 1)}\n`;
  // One is under way, four wait.
  for (let i = 0; i < 5; i += 1) output.write(line);
  expect(told.times).toBe(0);
  output.write("y\n");
  expect(told.times).toBe(1);
});

test("the last flush gives up on a reader that stands still", () => {
  vi.useRealTimers();
  const { told, output } = recorded(() => "EAGAIN");
  output.write("a\n");
  output.flushSync();
  expect(told.times).toBe(1);
});
