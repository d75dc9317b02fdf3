import { Worker } from "node:worker_threads";
import { open } from "lmdb";
import { expect, onTestFinished, test } from "vitest";
import { providerStateRecentMax, retentionDaysDefault } from "../../../src/contract/limits.ts";
import { StoredProviderState } from "../../../src/store/embedded/provider-state.ts";
import type { ProviderStateRow } from "../../../src/store/provider-state/provider-state.ts";
import { temporaryDirectory } from "../temporary-store.ts";

const dayMs = 86_400_000;

function stateOf(
  retentionDays: number | null,
  nowMs = () => 1_000 * dayMs,
  catchUp = () => Promise.resolve(),
) {
  const rows = new Map<string, ProviderStateRow>();
  const state = new StoredProviderState({
    rows: { get: (key) => rows.get(key.join(" ")), resetReadTxn: () => undefined },
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

test("after the wait an id is known that another thread has written in the same turn of the loop", async () => {
  const path = temporaryDirectory();
  const root = open<ProviderStateRow, [orgId: string, id: string]>({ path, encoding: "json" });
  onTestFinished(() => root.close());
  const row: ProviderStateRow = { account: "a", atMs: 1_000 * dayMs };
  const isWritten = new Int32Array(new SharedArrayBuffer(4));
  const writer = new Worker(writeOneRow, { eval: true, workerData: { path, row, isWritten } });
  onTestFinished(async () => {
    await writer.terminate();
  });
  await new Promise((ready) => writer.once("message", ready));
  const state = new StoredProviderState({
    rows: root,
    clock: { wallMs: () => row.atMs, monotonicMs: () => 0 },
    retentionDays: () => null,
    catchUp: () => {
      writer.postMessage("write");
      expect(Atomics.wait(isWritten, 0, 0, 20_000)).not.toBe("timed-out");
      return Promise.resolve();
    },
  });
  expect(state.find("org_1", "resp_1")).toBeUndefined();
  await state.caughtUp();
  expect(state.find("org_1", "resp_1")).toBe("a");
});

const writeOneRow = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { path, row, isWritten } = workerData;
  const rows = require("lmdb").open({ path, encoding: "json" });
  parentPort.on("message", () => {
    rows.putSync(["org_1", "resp_1"], row);
    Atomics.store(isWritten, 0, 1);
    Atomics.notify(isWritten, 0);
  });
  parentPort.postMessage("ready");
`;
