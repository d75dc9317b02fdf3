import { expect, onTestFinished, test } from "vitest";
import { refuse } from "../../../../src/contract/errors.ts";
import { accept, type Outcome } from "../../../../src/contract/outcome.ts";
import type { JournalBatch, JournalOperation } from "../../../../src/store/journal/batch.ts";
import { EventPacker } from "../../../../src/store/journal/event-packer.ts";
import { FileAndThread } from "../../../../src/store/embedded/journal/file-and-thread.ts";
import { JournalFile, journalPathIn } from "../../../../src/store/embedded/journal/journal-file.ts";
import { journalSlotBytes } from "../../../../src/store/embedded/journal/journal-record.ts";
import { readJournal } from "../../../../src/store/embedded/journal/read-journal.ts";
import { WriteHalt } from "../../../../src/store/embedded/write-halt.ts";
import { codeOf, temporaryDirectory, valueOf } from "../../temporary-store.ts";

const noRoom = refuse("internal_error", "no room");

/** What LMDB's thread is asked for, in order. */
class Thread {
  readonly calls: string[] = [];
  isFull = false;

  write({ number }: JournalBatch): Promise<Outcome<null>> {
    return this.#answer(`batch ${number}`);
  }

  applyRecords(places: readonly number[]): Promise<Outcome<null>> {
    return this.#answer(`${places.length} records`);
  }

  change(): Promise<Outcome<null>> {
    return this.#answer("change");
  }

  publish(): Promise<Outcome<null>> {
    return this.#answer("publish");
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(call: string): Promise<Outcome<null>> {
    this.calls.push(call);
    return Promise.resolve(this.isFull ? noRoom : accept(null));
  }
}

function opened(fileBytes = 64 * journalSlotBytes) {
  const path = journalPathIn(temporaryDirectory());
  const [thread, halt] = [new Thread(), new WriteHalt()];
  const writer = new FileAndThread(new JournalFile(path, { fileBytes }), thread, halt);
  onTestFinished(() => writer.close());
  const durable = (after = 0) => {
    const read = readJournal(path, after);
    return read.ok ? read.records.map(({ number }) => number) : read.fault;
  };
  return { writer, thread, halt, durable };
}

function batchOf(number: number, operations: readonly JournalOperation[] = []): JournalBatch {
  return { number, events: [], operations };
}

const body = Buffer.alloc(10);
const payloads: JournalOperation = {
  kind: "jobPayloads",
  jobId: "scanjob_1",
  itemCount: 2,
  body,
  starts: [0],
  ends: [10],
  from: 0,
  to: 1,
};

test("a batch is in the file when it is written, and in LMDB when it is applied", async () => {
  const { writer, thread, durable } = opened();
  for (const number of [1, 2]) valueOf(await writer.write(batchOf(number)));
  expect([durable(), thread.calls]).toEqual([[1, 2], []]);
  valueOf(await writer.apply());
  valueOf(await writer.apply());
  expect(thread.calls).toEqual(["2 records"]);
  valueOf(await writer.write(batchOf(3)));
  valueOf(await writer.apply());
  expect(thread.calls).toEqual(["2 records", "1 records"]);
});

test("payloads of a submission are written once, behind what was durable before", async () => {
  const { writer, thread, durable } = opened();
  valueOf(await writer.write(batchOf(1)));
  valueOf(await writer.write(batchOf(2, [payloads])));
  expect([durable(), thread.calls]).toEqual([[1], ["1 records", "batch 2"]]);
});

test("so is a batch that is too long for a record", async () => {
  const { writer, thread } = opened();
  const packer = new EventPacker();
  packer.line("x".repeat(1024 * 1024));
  valueOf(await writer.write({ ...batchOf(1), events: [packer.take()] }));
  expect(thread.calls).toEqual(["batch 1"]);
});

test("changes and checkpoints come behind what was durable before", async () => {
  const { writer, thread } = opened();
  valueOf(await writer.write(batchOf(1)));
  valueOf(await writer.change({ rows: [], events: [] }));
  valueOf(await writer.write(batchOf(2)));
  valueOf(await writer.publish());
  expect(thread.calls).toEqual(["1 records", "change", "1 records", "publish"]);
});

test("where the file has no room LMDB takes over first", async () => {
  const { writer, thread, durable } = opened(4 * journalSlotBytes);
  for (const number of [1, 2, 3, 4]) valueOf(await writer.write(batchOf(number)));
  expect([durable(3), thread.calls]).toEqual([[4], ["3 records"]]);
});

test("while LMDB can't be written nothing is promised, and nothing is lost", async () => {
  const { writer, thread, durable } = opened();
  valueOf(await writer.write(batchOf(1)));
  thread.isFull = true;
  expect(codeOf(await writer.apply())).toBe("internal_error");
  expect(await writer.write(batchOf(2))).toEqual(noRoom);
  expect(await writer.change({ rows: [], events: [] })).toEqual(noRoom);
  expect(durable()).toEqual([1]);
  thread.isFull = false;
  valueOf(await writer.write(batchOf(2)));
  expect(durable(1)).toEqual([2]);
});

test("where writing was ended for good the file takes nothing either", async () => {
  const { writer, halt, durable } = opened();
  halt.halt();
  expect(codeOf(await writer.write(batchOf(1)))).toBe("internal_error");
  expect(durable()).toEqual([]);
});
