import { afterEach, expect, test, vi } from "vitest";
import { providerStateCatchUpMsMax } from "../../src/contract/limits.ts";
import { CatchUp } from "../../src/threads/catch-up.ts";
import type { FromThread } from "../../src/threads/messages.ts";

afterEach(() => vi.useRealTimers());

test("each question has its own answer, and none is waited for too long", async () => {
  vi.useFakeTimers();
  const posted: FromThread[] = [];
  const catchUp = new CatchUp((message) => posted.push(message));
  const over: string[] = [];
  const wait = (name: string) => catchUp.ask().then(() => over.push(name));
  const asked = [wait("first"), wait("second")];
  expect(posted).toEqual([
    { kind: "catchUp", number: 1 },
    { kind: "catchUp", number: 2 },
  ]);
  catchUp.answered(2);
  await asked[1];
  expect(over).toEqual(["second"]);
  await vi.advanceTimersByTimeAsync(providerStateCatchUpMsMax);
  expect(over).toEqual(["second", "first"]);
  // A late answer is nobody's.
  catchUp.answered(1);
});
