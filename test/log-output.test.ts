import { expect, onTestFinished, test, vi } from "vitest";
import { logHeldCharactersMax, logHeldMsMax } from "../src/contract/limits.ts";
import { LogOutput } from "../src/log-output.ts";

function recorded() {
  const calls: string[] = [];
  const output = new LogOutput({
    write: (text) => {
      calls.push(text);
      return true;
    },
    flushSync: () => void calls.push("flushed"),
  });
  return { calls, output };
}

test("lines gather for a moment and are written in their order", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { calls, output } = recorded();
  output.write("a\n");
  output.write("b\n");
  vi.advanceTimersByTime(logHeldMsMax - 1);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(["a\nb\n"]);
  output.write("c\n");
  vi.advanceTimersByTime(logHeldMsMax);
  expect(calls).toEqual(["a\nb\n", "c\n"]);
});

test("no more gather than the bound", () => {
  const { calls, output } = recorded();
  output.write("a");
  output.write("b".repeat(logHeldCharactersMax));
  expect(calls).toEqual([`a${"b".repeat(logHeldCharactersMax)}`]);
});

test("flushing writes what is held first", () => {
  const { calls, output } = recorded();
  output.write("a\n");
  output.flushSync();
  expect(calls).toEqual(["a\n", "flushed"]);
});
