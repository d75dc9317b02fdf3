import { afterEach, expect, test, vi } from "vitest";
import { grantAnswerMsMax, grantWaitersMax } from "../../src/contract/limits.ts";
import { AskGrants } from "../../src/threads/ask-grants.ts";
import type { FromThread } from "../../src/threads/messages.ts";

afterEach(() => vi.useRealTimers());

function asking() {
  const posted: FromThread[] = [];
  return { posted, grants: new AskGrants((message) => posted.push(message)) };
}

test("each question has its own answer, and none is waited for too long", async () => {
  vi.useFakeTimers();
  const { posted, grants } = asking();
  const [first, second] = [grants.money("org_1", 5n), grants.money("org_2", 7n)];
  expect(posted).toEqual([
    { kind: "grant", number: 1, question: { pool: "money", orgId: "org_1", estimate: 5n } },
    { kind: "grant", number: 2, question: { pool: "money", orgId: "org_2", estimate: 7n } },
  ]);
  grants.answered(2, { outcome: "no_account" });
  expect(await second).toEqual({ outcome: "no_account" });
  await vi.advanceTimersByTimeAsync(grantAnswerMsMax);
  expect(await first).toEqual({ outcome: "away" });
  // A late answer is nobody's.
  grants.answered(1, { outcome: "again" });
});

test("so many questions wait and no more; one more is told that the store is away", async () => {
  const { posted, grants } = asking();
  const all = Array.from({ length: grantWaitersMax }, () => grants.money("org_1", 1n));
  expect(await grants.money("org_1", 1n)).toEqual({ outcome: "away" });
  expect(posted).toHaveLength(grantWaitersMax);
  grants.answered(1, { outcome: "again" });
  expect(await all[0]).toEqual({ outcome: "again" });
  const next = grants.money("org_1", 1n);
  for (let number = 2; number <= grantWaitersMax + 1; number += 1) {
    grants.answered(number, { outcome: "again" });
  }
  expect(await next).toEqual({ outcome: "again" });
});
