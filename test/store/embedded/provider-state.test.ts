import { expect, test } from "vitest";
import { providerStateRecentMax, retentionDaysDefault } from "../../../src/contract/limits.ts";
import { StoredProviderState } from "../../../src/store/embedded/provider-state.ts";
import type { ProviderStateRow } from "../../../src/store/provider-state/provider-state.ts";

const dayMs = 86_400_000;

function stateOf(
  retentionDays: number | null,
  nowMs = () => 1_000 * dayMs,
  catchUp = () => Promise.resolve(),
) {
  const rows = new Map<string, ProviderStateRow>();
  const state = new StoredProviderState({
    rows: { get: (key) => rows.get(key.join(" ")) },
    clock: { wallMs: nowMs, monotonicMs: () => 0 },
    retentionDays: () => retentionDays,
    catchUp,
  });
  return { rows, state };
}

test("an id is the organization's that created it, from the store and from memory", () => {
  const { rows, state } = stateOf(null);
  rows.set("org_1 resp_1", { account: "a", atMs: 1_000 * dayMs });
  const bound = { orgId: "org_1", account: "b", ids: ["resp_2"], atMs: 1_000 * dayMs };
  state.created({ ...bound, kind: "bind" });
  expect([state.find("org_1", "resp_1"), state.find("org_1", "resp_2")]).toEqual(["a", "b"]);
  expect([state.find("org_2", "resp_1"), state.find("org_2", "resp_2")]).toEqual([
    undefined,
    undefined,
  ]);
});

test.each([
  ["the default", null, retentionDaysDefault],
  ["its own", 7, 7],
])("after an organization's retention an id is unknown: %s", (_, days, kept) => {
  let nowMs = 1_000 * dayMs;
  const { rows, state } = stateOf(days, () => nowMs);
  rows.set("org_1 resp_1", { account: "a", atMs: nowMs });
  nowMs += kept * dayMs;
  expect(state.find("org_1", "resp_1")).toBe("a");
  nowMs += 1;
  expect(state.find("org_1", "resp_1")).toBeUndefined();
});

test("what is in memory is bounded", () => {
  const { state } = stateOf(null);
  const ids = Array.from({ length: providerStateRecentMax + 1 }, (_, i) => `resp_${i}`);
  state.created({ kind: "bind", orgId: "org_1", account: "a", ids, atMs: 1_000 * dayMs });
  expect(state.find("org_1", "resp_0")).toBeUndefined();
  expect(state.find("org_1", `resp_${providerStateRecentMax}`)).toBe("a");
});

test("who waits for other threads shares the next look at them, and never one that has begun", async () => {
  const looks: (() => void)[] = [];
  const catchUp = () => new Promise<void>((resolve) => looks.push(resolve));
  const { state } = stateOf(null, undefined, catchUp);
  const over: string[] = [];
  const wait = (name: string) => state.caughtUp().then(() => over.push(name));
  const first = wait("first");
  await expect.poll(() => looks.length).toBe(1);
  const others = [wait("second"), wait("third")];
  looks[0]?.();
  await first;
  expect(over).toEqual(["first"]);
  await expect.poll(() => looks.length).toBe(2);
  looks[1]?.();
  await Promise.all(others);
  expect(looks).toHaveLength(2);
});
