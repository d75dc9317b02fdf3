import { expect, onTestFinished, test } from "vitest";
import { refuse } from "../../../src/contract/errors.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { applyBatch } from "../../../src/store/journal/batch.ts";
import { Journal, type BatchWriter } from "../../../src/store/journal/journal.ts";
import { journaledWindows } from "../../../src/store/journal/journaled-windows.ts";
import { openKeys } from "../../../src/store/embedded/keys/keys.ts";
import { openRateWindows } from "../../../src/store/windows/open-windows.ts";
import type { Store } from "../../../src/store/embedded/store.ts";
import {
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "../temporary-store.ts";

const full = refuse("internal_error", "The disk is full.");

/** Writes to the store, unless its disk is full. */
class FillingWriter implements BatchWriter {
  isFull = false;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  write(batch: Parameters<BatchWriter["write"]>[0]) {
    if (this.isFull) return Promise.resolve(full);
    return this.#store.write(() => {
      applyBatch(this.#store.journal, batch);
      return accept(null);
    });
  }

  apply() {
    return Promise.resolve(accept(null));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

test("counts of windows that can't be written fail the journal, are told once and kept", async () => {
  const store = await temporaryStore();
  const writer = new FillingWriter(store);
  const journal = new Journal({
    writer,
    lastBatch: 0,
    onFlushFailed: (reason) => told.push(`journal: ${reason}`),
    flushMs: 1,
    retryMs: 1,
  });
  onTestFinished(() => journal.close());
  const told: string[] = [];
  const open = () =>
    openRateWindows(store.journal.rateWindows, journaledWindows(journal, "rateWindows"), {
      slots: 16,
      onFlushFailed: (error) => told.push(`windows: ${String(error)}`),
    });
  const check = [{ id: "org:1", limit: 10 }];
  const windows = open();
  windows.consume(check);
  writer.isFull = true;
  // Meets the full disk, and is in the journal until it is written.
  const first = windows.flush();
  await expect.poll(() => journal.failing).toBe(true);
  const pendingBytes = journal.pendingBytes;
  for (let i = 0; i < 4; i += 1) windows.consume(check);
  writer.isFull = false;
  await first;
  expect(journal.failing).toBe(false);

  writer.isFull = true;
  journal.append(["an event"]);
  await expect.poll(() => journal.failing).toBe(true);
  for (let i = 0; i < 3; i += 1) await windows.flush();
  // Nothing more waits while nothing is written.
  expect(journal.pendingBytes).toBeLessThan(pendingBytes);
  expect(told).toEqual([
    "journal: The disk is full.",
    "journal: The disk is full.",
    "windows: Error: The journal does not write at present.",
  ]);
  writer.isFull = false;
  await journal.appliedAll(null);
  await windows.flush();
  const after = open();
  expect(after.consume(check)).toMatchObject({ states: [{ remaining: 4 }] });
  await windows.close();
  await after.close();
});

test("when a key was last used is written later where the disk was full", async () => {
  const disk = { freeBytes: Number.MAX_SAFE_INTEGER };
  const store = await openedStore(temporaryDirectory(), () => disk.freeBytes);
  onTestFinished(() => store.close());
  const keys = openKeys(store, { onCheckFailed });
  onTestFinished(() => keys.close());
  const { key, secret } = valueOf(
    await keys.create({ draft: { orgId: null, role: "operator", name: "a" }, expiresAt: null }),
  );
  valueOf(keys.findBySecret(secret));
  disk.freeBytes = 0;
  await keys.writeUses();
  expect(store.tables.keyUses.get(key.id)).toBeUndefined();
  disk.freeBytes = Number.MAX_SAFE_INTEGER;
  await keys.writeUses();
  expect(store.tables.keyUses.get(key.id)).toBeGreaterThan(0);
});
