import { expect, it, onTestFinished, vi } from "vitest";
import { keySnapshotAgeMsMax, keySnapshotCheckMs } from "../../../../src/contract/limits.ts";
import { accept } from "../../../../src/contract/outcome.ts";
import {
  keyRecord,
  putKey,
  type KeyRecord,
} from "../../../../src/store/embedded/keys/key-record.ts";
import { KeySnapshot, type KeyBackend } from "../../../../src/store/embedded/keys/key-snapshot.ts";
import { KeyUses } from "../../../../src/store/keys/key-uses.ts";
import { openKeys } from "../../../../src/store/embedded/keys/keys.ts";
import { codeOf, onCheckFailed, temporaryStore, valueOf } from "../../temporary-store.ts";

const secret = `sk-gw-${"0e6".repeat(16)}`;
const record = keyRecord({ orgId: null, role: "operator", name: "k" }, secret, null, 0);
const revoked: KeyRecord = { ...record, key: { ...record.key, status: "revoked" } };

/** A store whose reads can be made to fail. */
class Backend implements KeyBackend {
  broken = false;
  loads = 0;
  state = { generation: 1, records: [record] };

  generation(): number {
    if (this.broken) throw new Error("the disk is gone");
    return this.state.generation;
  }

  load() {
    if (this.broken) throw new Error("the disk is gone");
    this.loads++;
    return this.state;
  }
}

function snapshotOn(backend: Backend) {
  const time = { wallMs: 0, monotonicMs: 0 };
  const clock = { wallMs: () => time.wallMs, monotonicMs: () => time.monotonicMs };
  return { snapshot: new KeySnapshot(backend, clock, new KeyUses()), time };
}

it("answers auth_unavailable until it was loaded once", () => {
  const backend = new Backend();
  const { snapshot } = snapshotOn(backend);
  backend.broken = true;
  expect(() => snapshot.check()).toThrow("disk");
  expect(snapshot.available).toBe(false);
  expect(snapshot.find(secret)).toMatchObject({
    refusal: { code: "auth_unavailable", retryAfterSeconds: 1 },
  });
  // What can be no key is told apart without the store.
  expect(codeOf(snapshot.find("sk-other"))).toBe("invalid_key");
  backend.broken = false;
  snapshot.check();
  expect(valueOf(snapshot.find(secret))).toEqual(record.key);
});

it("remembers the use of a revoked key until it is written, and no longer", () => {
  const uses = new KeyUses();
  const backend = new Backend();
  const clock = { wallMs: () => 7, monotonicMs: () => 0 };
  const snapshot = new KeySnapshot(backend, clock, uses);
  snapshot.check();
  snapshot.find(secret);
  snapshot.changed(revoked, 2);
  expect(uses.lastMs(record.key.id)).toBe(7);
  expect(uses.take(10)).toHaveLength(1);
  expect(uses.size).toBe(0);
  // Another thread has served a request just before.
  uses.noteOf({ keyId: record.key.id, lastMs: 8 });
  expect(uses.take(10)).toMatchObject([{ lastMs: 8 }]);
  expect(uses.size).toBe(0);
});

it("serves on over a failure for 60 s since it was last current, then recovers", () => {
  const backend = new Backend();
  const { snapshot, time } = snapshotOn(backend);
  snapshot.check();
  time.monotonicMs = 1000;
  snapshot.check();
  backend.broken = true;
  time.monotonicMs = 1000 + keySnapshotAgeMsMax;
  expect(() => snapshot.check()).toThrow("disk");
  expect(codeOf(snapshot.find(secret))).toBe("accepted");
  time.monotonicMs += 1;
  expect(snapshot.available).toBe(false);
  expect(codeOf(snapshot.find(secret))).toBe("auth_unavailable");
  expect(codeOf(snapshot.find(`${secret}0`))).toBe("auth_unavailable");
  backend.broken = false;
  snapshot.check();
  expect(codeOf(snapshot.find(secret))).toBe("accepted");
  expect(backend.loads).toBe(1);
});

it("does not age while the store answers, however long the last check is ago", () => {
  const { snapshot, time } = snapshotOn(new Backend());
  snapshot.check();
  time.monotonicMs = 10 * keySnapshotAgeMsMax;
  expect(codeOf(snapshot.find(secret))).toBe("accepted");
});

it("compares the whole digest", () => {
  const backend = new Backend();
  const { snapshot } = snapshotOn(backend);
  const secretSha256 = record.secretSha256.slice(0, 32) + "0".repeat(32);
  backend.state = { generation: 1, records: [{ ...record, secretSha256 }] };
  snapshot.check();
  expect(codeOf(snapshot.find(secret))).toBe("invalid_key");
});

it("loads again where another has written, and did not tell until the check after", () => {
  const backend = new Backend();
  const { snapshot } = snapshotOn(backend);
  snapshot.check();
  backend.state = { generation: 2, records: [revoked] };
  expect(codeOf(snapshot.find(secret))).toBe("accepted");
  snapshot.check();
  snapshot.check();
  expect(codeOf(snapshot.find(secret))).toBe("invalid_key");
  snapshot.check();
  expect(backend.loads).toBe(2);
});

it("does not load what is on its way here", () => {
  const backend = new Backend();
  const { snapshot } = snapshotOn(backend);
  snapshot.check();
  for (const generation of [2, 3, 4]) {
    const changed = generation === 3 ? record : revoked;
    backend.state = { generation, records: [changed] };
    // Committed by another thread, and not told yet.
    snapshot.check();
    snapshot.changed(changed, generation);
  }
  snapshot.check();
  expect([snapshot.size, backend.loads]).toEqual([0, 1]);
});

it("takes over its own changes without loading, but not past another's", () => {
  const backend = new Backend();
  const { snapshot } = snapshotOn(backend);
  snapshot.check();
  snapshot.changed(revoked, 2);
  backend.state = { generation: 2, records: [revoked] };
  snapshot.check();
  expect([snapshot.size, backend.loads]).toEqual([0, 1]);
  snapshot.changed(record, 4);
  expect(codeOf(snapshot.find(secret))).toBe("accepted");
  backend.state = { generation: 4, records: [] };
  snapshot.check();
  snapshot.check();
  expect([snapshot.size, backend.loads]).toEqual([0, 2]);
});

it("is checked by the open keys again and again, and failures are told", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const backend = new Backend();
  const failures: unknown[] = [];
  const store = await temporaryStore();
  const keys = openKeys(store, { backend, onCheckFailed: (error) => failures.push(error) });
  expect(keys.available).toBe(true);
  backend.broken = true;
  vi.advanceTimersByTime(2 * keySnapshotCheckMs);
  expect(failures).toMatchObject([
    { message: "the disk is gone" },
    { message: "the disk is gone" },
  ]);
  backend.broken = false;
  backend.state = { generation: 2, records: [] };
  vi.advanceTimersByTime(2 * keySnapshotCheckMs);
  expect(codeOf(keys.findBySecret(secret))).toBe("invalid_key");
  keys.close();
  backend.broken = true;
  vi.advanceTimersByTime(2 * keySnapshotCheckMs);
  expect(failures).toHaveLength(2);
});

it("sees what is written to the store beside it at the next check but one", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await temporaryStore();
  const keys = openKeys(store, { onCheckFailed });
  expect(codeOf(keys.findBySecret(secret))).toBe("invalid_key");
  valueOf(await store.write(() => accept(putKey(store.tables, record))));
  expect(codeOf(keys.findBySecret(secret))).toBe("invalid_key");
  vi.advanceTimersByTime(2 * keySnapshotCheckMs);
  expect(valueOf(keys.findBySecret(secret))).toEqual(record.key);
  keys.close();
});
