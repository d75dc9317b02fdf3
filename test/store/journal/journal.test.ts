import { expect, onTestFinished, test } from "vitest";
import { journalApplyBytes } from "../../../src/contract/limits.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import { refuse } from "../../../src/contract/errors.ts";
import type { JournalBatch } from "../../../src/store/journal/batch.ts";
import { EventPacker } from "../../../src/store/journal/event-packer.ts";
import {
  Journal,
  type BatchWriter,
  type JournalOptions,
} from "../../../src/store/journal/journal.ts";
import { journaledWindows } from "../../../src/store/journal/journaled-windows.ts";
import { unpackLines } from "../../../src/store/journal/packed-events.ts";

/** A writer whose batches end when the test says so. */
class HeldWriter implements BatchWriter {
  readonly batches: JournalBatch[] = [];
  #end: ((outcome: Outcome<null>) => void) | null = null;

  write(batch: JournalBatch): Promise<Outcome<null>> {
    this.batches.push(batch);
    return new Promise((resolve) => (this.#end = resolve));
  }

  /** How many batches readers saw after each call of `apply`. */
  readonly applied: number[] = [];
  applies: () => Promise<Outcome<null>> = () => Promise.resolve(accept(null));

  apply(): Promise<Outcome<null>> {
    this.applied.push(this.batches.length);
    return this.applies();
  }

  async end(outcome: Outcome<null> = accept(null)): Promise<void> {
    await expect.poll(() => this.#end).not.toBeNull();
    this.#end?.(outcome);
    this.#end = null;
  }

  /** Ends the batch under way, if there is one. */
  async fail(outcome: Outcome<null>): Promise<void> {
    this.#end?.(outcome);
    this.#end = null;
    await new Promise(setImmediate);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function journalOver(writer: BatchWriter, more: Partial<JournalOptions> = {}): Journal {
  const journal = new Journal({
    writer,
    lastBatch: 7,
    onFlushFailed: () => undefined,
    flushMs: 1,
    retryMs: 1,
    ...more,
  });
  return journal;
}

const full = refuse("internal_error", "no room");

test("what gathers during a flush goes with the next one", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer);
  const first = journal.append(["a"]);
  await expect.poll(() => writer.batches.length).toBe(1);
  journal.append(["b", "c"]);
  journal.append([], [{ kind: "unhold", requestId: "r" }]);
  const last = journal.append(["d"]);
  await writer.end();
  expect(await journal.flushed(first, null)).toBe(true);
  const lastFlushed = journal.flushed(last, null);
  await writer.end();
  expect(await lastFlushed).toBe(true);
  expect(writer.batches).toMatchObject([
    { number: 8, operations: [] },
    { number: 9, operations: [{ kind: "unhold" }] },
  ]);
  expect(writer.batches.map(({ events }) => unpackLines(events))).toEqual([["a"], ["b", "c", "d"]]);
  expect(journal.pendingBytes).toBe(0);
});

test("what gathers while a write does not end goes in batches of a bounded size, and a turn's is never parted", async () => {
  const writer = new HeldWriter();
  const durable: number[] = [];
  let turns = 0;
  const journal = journalOver(writer, {
    batchBytes: 4,
    onFlush: () => {
      const upTo = turns;
      return () => durable.push(upTo);
    },
  });
  journal.append(["first"]);
  await expect.poll(() => writer.batches.length).toBe(1);
  for (turns = 1; turns <= 3; turns += 1) {
    for (const line of ["a", "b", "c", "d", "e"]) journal.append([`${turns}${line}`]);
    await new Promise(setImmediate);
  }
  const last = journal.append(["z"]);
  const flushed = journal.flushed(last, null);
  for (let batch = 1; batch <= 5; batch += 1) await writer.end();
  expect(await flushed).toBe(true);
  expect(writer.batches.map(({ events }) => unpackLines(events).join(" "))).toEqual([
    ...["first", "1a 1b 1c 1d 1e", "2a 2b 2c 2d 2e", "3a 3b 3c 3d 3e", "z"],
  ]);
  // The threads whose entries are in a batch are told of that one.
  expect(durable).toEqual([0, 1, 2, 3, 4]);
  expect(journal.pendingBytes).toBe(0);
});

test("events that another thread has packed stand behind all appended before", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer);
  const other = new EventPacker();
  journal.append(["a"]);
  other.line("b");
  other.line("c");
  journal.appendPacked(structuredClone(other.take()));
  const last = journal.append(["d"]);
  const flushed = journal.flushed(last, null);
  await writer.end();
  expect(await flushed).toBe(true);
  expect(writer.batches.map(({ events }) => unpackLines(events))).toEqual([["a", "b", "c", "d"]]);
  expect(journal.pendingBytes).toBe(0);
});

test("who waits for nothing at all is told once the flush under way has ended", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer);
  journal.append(["a"]);
  await expect.poll(() => writer.batches.length).toBe(1);
  const flushed = journal.flushed(journal.append([]), null);
  await writer.end();
  await writer.end();
  expect(await flushed).toBe(true);
});

test("who waits behind a flush under way has the next one at once", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { flushMs: 60_000 });
  const first = journal.flushed(journal.append(["a"]), null);
  await expect.poll(() => writer.batches.length).toBe(1);
  const second = journal.flushed(journal.append(["b"]), null);
  await writer.end();
  expect(await first).toBe(true);
  await writer.end();
  expect(await second).toBe(true);
});

test("a flush that fails is tried again with the same batch, and nothing new is accepted", async () => {
  const writer = new HeldWriter();
  const told: string[] = [];
  const journal = journalOver(writer, {
    onFlushFailed: (reason) => told.push(reason),
    onFlushResumed: () => told.push("resumed"),
  });
  const mark = journal.append(["a"]);
  const flushed = journal.flushed(mark, null);
  await writer.end(full);
  await expect.poll(() => journal.accepting).toBe(false);
  await writer.end(full);
  await writer.end();
  expect(await flushed).toBe(true);
  expect(journal.accepting).toBe(true);
  expect(writer.batches.map(({ number }) => number)).toEqual([8, 8, 8]);
  // Once, not with every try.
  expect(told).toEqual(["no room", "resumed"]);
  const next = journal.flushed(journal.append(["b"]), null);
  await writer.end();
  expect(await next).toBe(true);
  expect(told).toHaveLength(2);
});

test("a flush that takes too long counts as failed until it ends", async () => {
  const writer = new HeldWriter();
  const told: string[] = [];
  const journal = journalOver(writer, {
    flushMsMax: 20,
    onFlushFailed: (reason) => told.push(reason),
    onFlushResumed: () => told.push("resumed"),
  });
  const flushed = journal.flushed(journal.append(["a"]), null);
  expect([journal.accepting, journal.failing]).toEqual([true, false]);
  await expect.poll(() => journal.accepting).toBe(false);
  expect([journal.failing, journal.full]).toEqual([true, false]);
  await writer.end();
  expect(await flushed).toBe(true);
  expect([journal.accepting, journal.failing]).toEqual([true, false]);
  expect(told).toEqual([expect.stringContaining("20 ms"), "resumed"]);
  // It goes on once: the write that stands still is the one that ends.
  expect(writer.batches).toHaveLength(1);
});

test("who waits for too long is told so, and the flush goes on", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer);
  const mark = journal.append(["a"]);
  expect(await journal.flushed(mark, 20)).toBe(false);
  expect(journal.waiting).toBe(0);
  await writer.end();
  expect(await journal.flushed(mark, null)).toBe(true);
});

test("over its bound it is full until a flush ends", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { pendingBytesMax: 10 });
  journal.append(["123456789"]);
  expect([journal.accepting, journal.full]).toEqual([true, false]);
  const mark = journal.append(["0"]);
  expect([journal.accepting, journal.full]).toEqual([false, true]);
  const flushed = journal.flushed(mark, null);
  await writer.end();
  expect(await flushed).toBe(true);
  expect([journal.accepting, journal.full]).toEqual([true, false]);
});

test("what was appended during a flush counts until its own has ended", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { pendingBytesMax: 10 });
  const first = journal.flushed(journal.append(["12"]), null);
  await expect.poll(() => writer.batches.length).toBe(1);
  const second = journal.flushed(journal.append(["1234567890"]), null);
  await writer.end();
  expect(await first).toBe(true);
  expect([journal.pendingBytes, journal.full]).toEqual([10, true]);
  await writer.end();
  expect(await second).toBe(true);
  expect([journal.pendingBytes, journal.full]).toEqual([0, false]);
});

test("a job's body counts until its flush has ended, and has a bound of its own", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { pendingBytesMax: 1_000, payloadBytesMax: 4_000 });
  const job = {
    kind: "job",
    jobId: "scanjob_1",
    orgId: "org_1",
    apiKeyId: "key_1",
    createdAtMs: 0,
    ids: ["a"],
    body: Buffer.alloc(3_000),
    starts: [0],
    ends: [1],
  } as const;
  // One that is larger than the bound would never be stored else.
  expect(journal.fitsPayload(5_000)).toBe(true);
  const mark = journal.append([], [job]);
  expect(await journal.flushed(mark, 1)).toBe(false);
  expect(journal.pendingBytes).toBeGreaterThan(3_000);
  expect([journal.fitsPayload(1_001), journal.fitsPayload(1_000)]).toEqual([false, true]);
  // One large submission stops nobody's requests.
  expect(journal.full).toBe(false);
  const flushed = journal.flushed(mark, null);
  await writer.end();
  expect(await flushed).toBe(true);
  expect([journal.pendingBytes, journal.fitsPayload(4_001)]).toEqual([0, true]);
});

test("closing writes what is left", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { flushMs: 60_000 });
  onTestFinished(() => journal.close());
  journal.append(["a"]);
  const closed = journal.close();
  await writer.end();
  await closed;
  expect(writer.batches).toHaveLength(1);
  expect(journal.accepting).toBe(false);
});

test("what is appended behind the close is an error, for nobody would write it", async () => {
  const journal = journalOver(new HeldWriter());
  await journal.close();
  expect(() => journal.append(["late"])).toThrow(/closed/);
});

test("closing waits for a write under way, however long, and loses nothing of it", async () => {
  const writer = new HeldWriter();
  const told: string[] = [];
  const onFlushFailed = (reason: string): number => told.push(reason);
  const journal = journalOver(writer, { onFlushFailed, closeWaitMs: 1 });
  const mark = journal.append(["a"]);
  let isClosed = false;
  const closed = journal.close().then(() => (isClosed = true));
  await expect.poll(() => journal.accepting).toBe(false);
  expect(isClosed).toBe(false);
  await writer.end();
  await closed;
  expect(told).toEqual([]);
  expect(await journal.flushed(mark, null)).toBe(true);
});

test("closing tells of what it could not write", async () => {
  const writer = new HeldWriter();
  const told: string[] = [];
  const onFlushFailed = (reason: string): number => told.push(reason);
  const journal = journalOver(writer, { onFlushFailed, closeWaitMs: 1 });
  journal.append(["abc"]);
  const closed = journal.close();
  // Tried until the close has given up, and once more for the one under way.
  for (let tries = 0; told.length < 2; tries += 1) {
    expect(tries).toBeLessThan(10_000);
    await writer.fail(full);
  }
  await closed;
  expect(told).toEqual(["no room", "3 bytes of the journal were not written."]);
});

test("windows go with the journal, and wait for none that does not write", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer);
  const write = journaledWindows(journal, "rateWindows");
  const change = { head: Buffer.from("head"), gone: ["a"], rows: [] };
  const written = write(change);
  await writer.end();
  expect(await written).toEqual(accept(null));
  expect(writer.batches).toMatchObject([
    { operations: [{ kind: "windows", table: "rateWindows", change }] },
  ]);
  journal.append(["b"]);
  await writer.end(full);
  await expect.poll(() => journal.accepting).toBe(false);
  expect(await write(change)).toMatchObject({ ok: false });
  await writer.end();
  expect(writer.batches.flatMap(({ operations }) => operations)).toHaveLength(1);
});

test("readers see what is durable somewhat later, though nobody waits for it", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { applyMs: 1 });
  journal.append(["a"]);
  await writer.end();
  await expect.poll(() => writer.applied).toEqual([1]);
});

test("they see several flushes at once", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { applyMs: 60_000 });
  for (const event of ["a", "b", "c"]) {
    const flushed = journal.flushed(journal.append([event]), null);
    await writer.end();
    expect(await flushed).toBe(true);
  }
  expect(writer.applied).toEqual([]);
  expect(await journal.caughtUp(null)).toBe(true);
  expect(writer.applied).toEqual([3]);
});

test("or at once, where somebody waits to read", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { flushMs: 60_000, applyMs: 60_000 });
  const applied = journal.applied(journal.append(["a"]), null);
  await writer.end();
  expect(await applied).toBe(true);
  expect(writer.applied).toEqual([1]);
  // What is not durable yet keeps no reader waiting.
  journal.append(["b"]);
  expect(await journal.caughtUp(null)).toBe(true);
  const all = journal.appliedAll(null);
  await writer.end();
  expect(await all).toBe(true);
  expect(writer.applied).toEqual([1, 2]);
});

test("or at once, where much has gathered", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { applyMs: 60_000 });
  journal.append(["x".repeat(journalApplyBytes)]);
  await writer.end();
  await expect.poll(() => writer.applied).toEqual([1]);
});

test("who waits to read is told if it takes too long", async () => {
  const writer = new HeldWriter();
  writer.applies = () => new Promise(() => undefined);
  const journal = journalOver(writer, { flushMsMax: 10 });
  const flushed = journal.flushed(journal.append(["a"]), null);
  await writer.end();
  expect(await flushed).toBe(true);
  expect(await journal.caughtUp(20)).toBe(false);
  expect([journal.waiting, journal.failing]).toEqual([0, true]);
});

test("what can't be brought to readers is tried again, and nothing new is accepted", async () => {
  const writer = new HeldWriter();
  let isFull = true;
  writer.applies = () => Promise.resolve(isFull ? full : accept(null));
  const told: string[] = [];
  const journal = journalOver(writer, {
    onFlushFailed: (reason) => told.push(reason),
    onFlushResumed: () => told.push("resumed"),
  });
  const applied = journal.applied(journal.append(["a"]), null);
  await writer.end();
  await expect.poll(() => journal.accepting).toBe(false);
  // A flush that succeeds meanwhile does not hide it.
  const flushed = journal.flushed(journal.append(["b"]), null);
  await writer.end();
  expect([await flushed, journal.accepting, told]).toEqual([true, false, ["no room"]]);
  isFull = false;
  expect(await applied).toBe(true);
  expect([journal.accepting, told]).toEqual([true, ["no room", "resumed"]]);
});

test("closing brings the rest to readers", async () => {
  const writer = new HeldWriter();
  const journal = journalOver(writer, { applyMs: 60_000 });
  journal.append(["a"]);
  const closed = journal.close();
  await writer.end();
  await closed;
  expect(writer.applied).toEqual([1]);
});

test("with a lease, flushes go on and do not fail while the copy catches up or can't be written", async () => {
  const writer = new HeldWriter();
  const told: string[] = [];
  const journal = journalOver(writer, {
    ...{ lease: { isOver: false }, flushMsMax: 20, copyMsMax: 60, applyMs: 1 },
    onFlushFailed: (reason) => told.push(reason),
  });
  let isApplied: (outcome: Outcome<null>) => void = () => undefined;
  writer.applies = () => new Promise((resolve) => (isApplied = resolve));
  const mark = journal.append(["a"]);
  await writer.end();
  await journal.flushed(mark, null);
  await expect.poll(() => writer.applied).toEqual([1]);
  await expect.poll(() => told).toHaveLength(1);
  expect([journal.accepting, journal.failing]).toEqual([true, false]);
  isApplied(refuse("internal_error", "the disk is full"));
  await expect.poll(() => writer.applied.length).toBe(2);
  expect([journal.accepting, journal.failing]).toEqual([true, false]);
  writer.applies = () => Promise.resolve(accept(null));
  isApplied(accept(null));
  expect(await journal.applied(mark, null)).toBe(true);
});
