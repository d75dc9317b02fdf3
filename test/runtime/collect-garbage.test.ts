import { expect, test, vi } from "vitest";
import { collectGarbage, collectNowAndThen } from "../../src/runtime/collect-garbage.ts";
import { quietThreadCollectMs } from "../../src/contract/limits.ts";

/** A reference to something that nothing else refers to; it lives until the end of this turn. */
async function lost(): Promise<WeakRef<object>> {
  const reference = new WeakRef({ bytes: new Uint8Array(100) });
  await new Promise((resolve) => setImmediate(resolve));
  return reference;
}

test("what nothing refers to is gone when it is asked for", async () => {
  const reference = await lost();
  collectGarbage("major");
  expect(reference.deref()).toBeUndefined();
});

test("and in a quiet thread after a while without being asked for", async () => {
  const reference = await lost();
  vi.useFakeTimers();
  try {
    collectNowAndThen();
    vi.advanceTimersByTime(quietThreadCollectMs);
    expect(reference.deref()).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
