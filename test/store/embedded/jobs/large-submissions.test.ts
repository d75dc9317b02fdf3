import { describe, expect, test } from "vitest";
import { batchPayloadBytesPerWrite, batchPiecesMsMax } from "../../../../src/contract/limits.ts";
import { accept } from "../../../../src/contract/outcome.ts";
import { Jobs, type NewJob } from "../../../../src/store/embedded/jobs/jobs.ts";
import { payloadPieces } from "../../../../src/store/jobs/payload-pieces.ts";
import { applyBatch, type JournalBatch } from "../../../../src/store/journal/batch.ts";
import { Journal } from "../../../../src/store/journal/journal.ts";
import type { Store } from "../../../../src/store/embedded/store.ts";
import { ManualClock } from "../../manual-clock.ts";
import { codeOf, temporaryStore, valueOf } from "../../temporary-store.ts";

const orgId = "org_1";
const items = 50;
const itemBytes = 100 * 1024;
const pieces = Math.ceil(items / Math.floor(batchPayloadBytesPerWrite / itemBytes));

function largeJob(): NewJob {
  const body = new Uint8Array(new SharedArrayBuffer(items * itemBytes));
  const starts = Array.from({ length: items }, (_, i) => i * itemBytes);
  for (const [i, start] of starts.entries()) body.fill(i, start, start + itemBytes);
  const ends = starts.map((start) => start + itemBytes);
  return { orgId, apiKeyId: "key_1", ids: starts.map((_, i) => `i${i}`), body, starts, ends };
}

/** Jobs whose writer dies behind so many batches: what comes later hangs. */
function jobsOver(store: Store, batchesMax = Infinity, isShared = false) {
  const batches: JournalBatch[] = [];
  const journal = new Journal({
    writer: {
      write: (batch) => {
        batches.push(batch);
        if (batches.length > batchesMax) return new Promise(() => undefined);
        return store.write(() => {
          applyBatch(store.journal, batch);
          return accept(null);
        });
      },
      apply: () => Promise.resolve(accept(null)),
      close: () => Promise.resolve(),
    },
    lastBatch: store.journal.meta.get("journalBatch") ?? 0,
    onFlushFailed: () => undefined,
  });
  const clock = new ManualClock();
  // As a gateway that shares its store: it leaves alone what others may be writing.
  const claims = isShared
    ? { claim: () => Promise.resolve([]), onLost: () => undefined }
    : undefined;
  const jobs = new Jobs({ tables: store.journal, journal, clock, claims });
  return { jobs, journal, batches, clock };
}

test.each([
  [[], [[0, 0]]],
  [[1], [[0, 1]]],
  [
    [batchPayloadBytesPerWrite, 1],
    [
      [0, 1],
      [1, 2],
    ],
  ],
  [[batchPayloadBytesPerWrite - 1, 1], [[0, 2]]],
  [
    [1, batchPayloadBytesPerWrite * 4, 1],
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  ],
])("payloads of %j bytes are written in %j", (bytes, expected) => {
  expect(payloadPieces(bytes)).toEqual(expected.map(([from, to]) => ({ from, to })));
});

describe("a large submission", () => {
  test("is written a piece at a time, and others are written in between", async () => {
    const store = await temporaryStore();
    const { jobs, journal, batches } = jobsOver(store);
    const submitting = jobs.submit(largeJob());
    const between = journal.append(["{}"]);
    expect(await journal.flushed(between, null)).toBe(true);
    // The rest of it is still to come.
    expect(store.journal.jobs.getKeysCount()).toBe(0);
    const { jobId } = valueOf(await submitting);
    expect(batches).toHaveLength(pieces);
    for (let i = 0; i < items; i += 1) {
      const payload = store.journal.jobPayloads.get([jobId, i]);
      expect([payload?.length, payload?.[0], payload?.at(-1)]).toEqual([itemBytes, i, i]);
    }
    expect(jobs.views.find(orgId, jobId)?.counts.queued).toBe(items);
    expect(store.journal.jobsToCome.getKeysCount()).toBe(0);
    await journal.close();
  });

  test("whose client leaves in the middle leaves nothing, and the rest of it is not written", async () => {
    const store = await temporaryStore();
    const { jobs, journal, batches } = jobsOver(store);
    let asked = 0;
    expect(codeOf(await jobs.submit(largeJob(), () => (asked += 1) < 2))).toBe("invalid_request");
    await journal.appliedAll(null);
    expect(batches.length).toBeLessThan(pieces);
    expect(store.journal.jobPayloads.getKeysCount()).toBe(0);
    expect(jobs.claim()).toBeUndefined();
    await journal.close();
  });

  test("that a crash cuts leaves nothing behind the next start", async () => {
    const store = await temporaryStore();
    const crashed = jobsOver(store, 2);
    void crashed.jobs.submit(largeJob());
    await expect.poll(() => crashed.batches.length).toBe(3);
    expect(store.journal.jobPayloads.getKeysCount()).toBe(20);
    const { jobs, journal } = jobsOver(store);
    expect(jobs.isEmpty).toBe(true);
    await journal.appliedAll(null);
    expect(store.journal.jobPayloads.getKeysCount()).toBe(0);
    expect(store.journal.jobsToCome.getKeysCount()).toBe(0);
    await journal.close();
  });
  test("whose gateway has ended is removed by another one of its store, by age", async () => {
    const store = await temporaryStore();
    const ended = jobsOver(store, 2, true);
    void ended.jobs.submit(largeJob());
    await expect.poll(() => ended.batches.length).toBe(3);
    const { jobs, journal, clock } = jobsOver(store, Infinity, true);
    jobs.removeLeftPieces();
    clock.advance(batchPiecesMsMax - 1);
    jobs.removeLeftPieces();
    await journal.appliedAll(null);
    expect(store.journal.jobPayloads.getKeysCount()).toBe(20);
    clock.advance(1);
    jobs.removeLeftPieces();
    await journal.appliedAll(null);
    expect(store.journal.jobPayloads.getKeysCount()).toBe(0);
    expect(store.journal.jobsToCome.getKeysCount()).toBe(0);
    await journal.close();
  });
});
