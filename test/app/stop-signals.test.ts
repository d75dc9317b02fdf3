import { expect, test } from "vitest";
import { signalRepeatMsMax } from "../../src/contract/limits.ts";
import { StopSignals, type Wish } from "../../src/app/stop-signals.ts";

const late = signalRepeatMsMax + 1;

test.each<readonly [string, readonly (readonly [number, NodeJS.Signals, Wish])[]]>([
  ["the first drains, whichever it is", [[0, "SIGHUP", "drain"]]],
  [
    "what a wrapper passes on is the same wish, however often",
    [
      [0, "SIGINT", "drain"],
      [1, "SIGINT", null],
      [5, "SIGTERM", null],
      [signalRepeatMsMax, "SIGINT", null],
    ],
  ],
  [
    "who signals again later wants the end at once",
    [
      [0, "SIGTERM", "drain"],
      [1, "SIGTERM", null],
      [late, "SIGTERM", "end"],
    ],
  ],
  [
    "a terminal that is closed never does, a person behind it may",
    [
      [0, "SIGHUP", "drain"],
      [late, "SIGHUP", null],
      [late + 1, "SIGINT", "end"],
    ],
  ],
])("%s", (_, signals) => {
  let nowMs = 0;
  const stopSignals = new StopSignals(() => nowMs);
  for (const [atMs, signal, wish] of signals) {
    nowMs = 1_000_000 + atMs;
    expect(stopSignals.read(signal)).toBe(wish);
  }
});
