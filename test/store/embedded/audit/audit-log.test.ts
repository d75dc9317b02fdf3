import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { canonicalEvent } from "../../../../src/contract/audit.ts";
import {
  auditTimesLooksMax,
  auditTimesStepEvents,
  checkpointEventsMax,
} from "../../../../src/contract/limits.ts";
import { accept } from "../../../../src/contract/outcome.ts";
import { LmdbAuditLog, passes } from "../../../../src/store/embedded/audit/audit-log.ts";
import { CheckpointPublisher } from "../../../../src/store/embedded/audit/publisher.ts";
import { newSigningKey, noteSigner } from "../../../../src/store/audit/signed-note.ts";
import { EventTimes } from "../../../../src/store/audit/event-times.ts";
import { OlderEventTimes } from "../../../../src/store/embedded/audit/older-event-times.ts";
import { appendEvents } from "../../../../src/store/journal/batch.ts";
import {
  openJournalTables,
  type LmdbJournalTables,
} from "../../../../src/store/embedded/journal/journal-tables.ts";
import { abortableAndFlushed, openRoot } from "../../../../src/store/embedded/files/open-root.ts";
import { decodeBatch } from "../../../../src/store/embedded/journal/journal-record.ts";
import { readJournal } from "../../../../src/store/embedded/journal/read-journal.ts";
import { readCheckpoint } from "../../../../src/store/audit/checkpoint.ts";
import { consistencyHolds, inclusionHolds, leafHash } from "../../../../src/store/audit/merkle.ts";
import { unpackLines, type PackedEvents } from "../../../../src/store/journal/packed-events.ts";
import { temporaryDirectory, valueOf } from "../../temporary-store.ts";

const start = Date.parse("2026-06-01T00:00:00Z");
const hourMs = 3_600_000;

function openTables() {
  const root = openRoot(join(temporaryDirectory(), "weir.mdb"));
  onTestFinished(() => root.close());
  return { root, tables: openJournalTables(root) };
}

function lineAt(hour: number): string {
  const event = { eventType: "key.created", message: "", orgId: null, requestId: null } as const;
  return canonicalEvent({ ...event, data: {} }, isoOf(hour));
}

const noWriter = {
  caughtUp: () => Promise.resolve(),
  publish: () => Promise.resolve(accept(null)),
};

/** A log of events at these hours after `start`, so many written together. */
function logOf(hours: readonly number[], together: number): LmdbAuditLog {
  const { root, tables } = openTables();
  const lines = hours.map(lineAt);
  root.transactionSync(() => {
    for (let at = 0; at < lines.length; at += together) {
      appendEvents(tables, lines.slice(at, at + together));
    }
  });
  return new LmdbAuditLog(tables, "", noWriter);
}

function isoOf(hour: number): string {
  return new Date(start + hour * hourMs).toISOString();
}

function filterOf(since: number | null, until: number | null) {
  const isoOrNull = (hour: number | null) => (hour === null ? null : isoOf(hour));
  return {
    substrings: [],
    matches: () => true,
    since: isoOrNull(since),
    until: isoOrNull(until),
  };
}

/** As the exports walk it. */
function walked(log: LmdbAuditLog, since: number | null, until: number | null): number[] {
  const filter = filterOf(since, until);
  const found: number[] = [];
  let next = 0;
  while ((next = log.placeFrom(next, log.size, filter)) < log.size) {
    const run = log.run(next);
    found.push(...run.filter(({ line }) => passes(line, filter)).map(({ index }) => index));
    next = (run.at(-1)?.index ?? log.size) + 1;
  }
  return found;
}

/** All pages of a list. */
function listed(log: LmdbAuditLog, since: number | null, until: number | null): number[] {
  const found: number[] = [];
  let before: number | null = null;
  do {
    const query = { ...filterOf(since, until), limit: 1_000, before, scannedMax: 4_096 };
    const page = log.list(query);
    found.push(...page.events.map(({ index }) => index));
    before = page.nextCursor;
  } while (before !== null);
  return found;
}

// A clock that is set back dates what comes after it before what came: by hours, or by quarters of a minute.
const marks = fc.array(fc.integer({ min: 0, max: 72 }), { minLength: 1, maxLength: 40 });
const mark = fc.option(fc.integer({ min: -1, max: 73 }));
const scale = fc.constantFrom(1, 1 / 240);
const together = fc.integer({ min: 1, max: 7 });

test("what a filter of times finds does not depend on the clock having run forward", () => {
  fc.assert(
    fc.property(marks, together, mark, mark, scale, (marked, rowEvents, since, until, hour) => {
      const made = marked.map((at) => at * hour);
      const from = since === null ? null : since * hour;
      const to = until === null ? null : until * hour;
      const log = logOf(made, rowEvents);
      const wanted = made
        .map((hour, index) => ({ hour, index }))
        .filter(({ hour }) => (from === null || hour >= from) && (to === null || hour < to))
        .map(({ index }) => index);
      expect(listed(log, from, to)).toEqual(wanted.toReversed());
      expect(walked(log, from, to)).toEqual(wanted);
    }),
    { numRuns: 40 },
  );
});

test("it finds the same while the times of older events are being noted, and at last as if they always were", () => {
  const { root, tables } = openTables();
  const made = Array.from({ length: 3 * auditTimesStepEvents + 100 }, (_, at) => (at * 7) % 500);
  const append = (hours: readonly number[]): void =>
    root.transactionSync(() => {
      for (let at = 0; at < hours.length; at += 100) {
        appendEvents(tables, hours.slice(at, at + 100).map(lineAt));
      }
    });
  const old = 3 * auditTimesStepEvents;
  append(made.slice(0, old));
  // As an older release leaves it, and the migration finds it.
  root.transactionSync(() => {
    tables.eventTimes.clearSync();
    tables.meta.putSync("eventTimesFrom", old);
  });
  append(made.slice(old));
  const log = new LmdbAuditLog(tables, "", noWriter);
  const wanted = made.flatMap((hour, index) => (hour >= 490 && hour < 495 ? [index] : []));
  const expectFound = (): void => {
    expect(listed(log, 490, 495)).toEqual(wanted.toReversed());
    expect(walked(log, 490, 495)).toEqual(wanted);
  };
  const older = new OlderEventTimes(tables);
  let steps = 0;
  for (; !older.isOver; steps += 1) {
    expectFound();
    root.transactionSync(() => older.step());
  }
  expectFound();
  expect(steps).toBe(3);
  const other = openTables();
  other.root.transactionSync(() => appendEvents(other.tables, made.map(lineAt)));
  const rowsOf = ({ eventTimes }: LmdbJournalTables) => Array.from(eventTimes.getRange());
  expect(rowsOf(tables)).toEqual(rowsOf(other.tables));
});

/** Rows of events that were read to list them all. */
function rowsRead(tables: LmdbJournalTables, list: (log: LmdbAuditLog) => void): number {
  let rows = 0;
  const events = new Proxy(tables.events, {
    get: (target, name) => {
      if (name === "getRange") {
        return (range: object) =>
          target.getRange(range).map((row) => {
            rows += 1;
            return row;
          });
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  list(new LmdbAuditLog({ ...tables, events }, "", noWriter));
  return rows;
}

const events = 60_000;
test.each<[string, (at: number) => number]>([
  ["ran forward", (at) => at],
  ["was set back once, by years", (at) => (at < 30_000 ? at + 50_000 : at)],
  ["was far ahead once", (at) => (at === 100 ? 900_000 : at)],
  ["was far behind once", (at) => (at === 59_000 ? -900_000 : at)],
])("a filter reads a few rows of many where the clock %s", (_, hourOf) => {
  const { root, tables } = openTables();
  const made = Array.from({ length: events }, (_, at) => hourOf(at));
  root.transactionSync(() => appendEvents(tables, made.map(lineAt)));
  for (const [since, until] of [
    [40_000, 40_010],
    [55_000, 55_001],
    [899_999, null],
    [null, -899_999],
    [300_000, 400_000],
  ] as const) {
    const wanted = made.flatMap((hour, index) =>
      (since === null || hour >= since) && (until === null || hour < until) ? [index] : [],
    );
    const rows = rowsRead(tables, (log) => {
      expect(listed(log, since, until)).toEqual(wanted.toReversed());
      expect(walked(log, since, until)).toEqual(wanted);
    });
    // Two rows at each of two ends, of the list and of the walk.
    expect(rows).toBeLessThanOrEqual(8);
  }
});

test("a list looks at a bounded number of blocks in a turn, and goes on behind them", () => {
  const { root, tables } = openTables();
  // Every block of the second level has both ends of the time, and no block of the first is barren of it.
  const blocks = 2 * auditTimesLooksMax;
  root.transactionSync(() => {
    for (let block = 0; block < blocks; block += 1) {
      tables.eventTimes.putSync([0, block], [isoOf(block % 2), isoOf(block % 2)]);
      const above = Math.floor(block / 256);
      tables.eventTimes.putSync([1, above], [isoOf(0), isoOf(2)]);
    }
  });
  const times = new EventTimes(tables, { since: isoOf(1.5), until: null });
  const end = blocks * 256;
  const place = times.next(0, end);
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(end);
  expect(times.looks).toBeLessThanOrEqual(auditTimesLooksMax + 3);
  let at = end;
  let calls = 0;
  for (; at > 0; calls += 1) at = times.previous(at);
  expect(calls).toBe(3);
});

test.each(["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:30.000Z"])(
  "until %s is all of it",
  (end) => {
    const hour = (Date.parse(end) - start) / hourMs;
    const log = logOf([0, 1, 2], 1);
    const page = { ...filterOf(null, hour), limit: 10, before: null, scannedMax: 10 };
    expect(log.list(page).events).toHaveLength(3);
    expect(walked(log, null, hour)).toEqual([0, 1, 2]);
    const all = { since: "0000-01-01T00:00:00.000Z", until: null };
    expect(log.placeFrom(0, 3, all)).toBe(0);
  },
);

test("where it has run forward a list stops at what is too old", () => {
  const log = logOf(
    Array.from({ length: 2_000 }, (_, hour) => hour),
    10,
  );
  const page = { ...filterOf(1_990, null), limit: 1_000, before: null, scannedMax: 300 };
  expect(log.list(page)).toMatchObject({ nextCursor: null });
});

test("a page ends when it has looked at so many, and the next one goes on behind it", () => {
  const log = logOf(
    Array.from({ length: 100 }, (_, hour) => hour),
    10,
  );
  const filter = { ...filterOf(null, null), substrings: ["nowhere"] };
  const cursors: (number | null)[] = [];
  let before: number | null = null;
  do {
    const page = log.list({ ...filter, limit: 5, before, scannedMax: 25 });
    expect(page.events).toEqual([]);
    cursors.push((before = page.nextCursor));
  } while (before !== null);
  expect(cursors).toEqual([70, 40, 10, null]);
});

test("a page that ends with the first event is the last one, and one from beyond the log its first", () => {
  const log = logOf([0, 1, 2, 3], 3);
  const page = { ...filterOf(null, null), scannedMax: 100 };
  expect(log.list({ ...page, limit: 2, before: 2 })).toMatchObject({
    events: [{ index: 1 }, { index: 0 }],
    nextCursor: null,
  });
  expect(log.list({ ...page, limit: 2, before: 1_000 })).toMatchObject({
    events: [{ index: 3 }, { index: 2 }],
    nextCursor: 2,
  });
});

test("a checkpoint is due with so many events behind the last one", () => {
  const { root, tables } = openTables();
  const publisher = new CheckpointPublisher(tables, noteSigner("weir.example", newSigningKey()));
  const append = (count: number): void => {
    const lines = Array.from({ length: count }, () => lineAt(0));
    root.transactionSync(() => appendEvents(tables, lines));
  };
  append(checkpointEventsMax - 1);
  expect(publisher.isDue).toBe(false);
  append(1);
  expect(publisher.isDue).toBe(true);
  root.transactionSync(() => publisher.publish(start));
  expect(publisher.isDue).toBe(false);
});

test("an idle log is signed once: a checkpoint's own event is no news", () => {
  const { root, tables } = openTables();
  const publisher = new CheckpointPublisher(tables, noteSigner("weir.example", newSigningKey()));
  expect(publisher.hasNews).toBe(false);
  root.transactionSync(() => appendEvents(tables, [lineAt(0)]));
  expect(publisher.hasNews).toBe(true);
  root.transactionSync(() => publisher.publish(start));
  expect(publisher.hasNews).toBe(false);
  root.transactionSync(() => appendEvents(tables, [lineAt(1)]));
  expect(publisher.hasNews).toBe(true);
});

test("a checkpoint that was rolled back covers nothing", () => {
  const { root, tables } = openTables();
  const publisher = new CheckpointPublisher(tables, noteSigner("weir.example", newSigningKey()));
  root.transactionSync(() => appendEvents(tables, [lineAt(0)]));
  const failing = (): void =>
    root.transactionSync(() => {
      publisher.publish(start);
      throw new Error("the disk is full");
    }, abortableAndFlushed);
  expect(failing).toThrow("full");
  expect(publisher.hasNews).toBe(true);
  root.transactionSync(() => publisher.publish(start));
  expect(publisher.hasNews).toBe(false);
});

test("a proof from before events said more still verifies, and so do their logs' proofs now", async () => {
  const { root, tables } = openTables();
  const signer = noteSigner("weir-test", newSigningKey());
  const publisher = new CheckpointPublisher(tables, signer);
  const log = new LmdbAuditLog(tables, signer.verifierKey, noWriter);
  const form = (number: 1 | 2): readonly PackedEvents[] => {
    const path = join(import.meta.dirname, `../journal/form-${number}.journal`);
    const read = readJournal(path, 6);
    if (!read.ok) throw new Error(read.fault);
    return read.records.map(decodeBatch).flatMap(({ events }) => events);
  };
  const publish = () => root.transactionSync(() => publisher.publish(start), abortableAndFlushed);
  root.transactionSync(() => appendEvents(tables, unpackLines(form(1))), abortableAndFlushed);
  publish();
  const before = valueOf(await log.proof(1));
  root.transactionSync(() => appendEvents(tables, unpackLines(form(2))), abortableAndFlushed);
  publish();
  const after = valueOf(await log.proof(4));
  expect(before.leafData).not.toContain("attempts");
  expect(after.leafData).toContain('"attempts":[{"account":"openai"');
  const rootOfNote = (note: string): Buffer => {
    const checkpoint = readCheckpoint(note, signer.verifierKey);
    if (checkpoint === null) throw new Error("the note is not signed");
    return checkpoint.root;
  };
  for (const { index, treeSize, leafData, hashes, checkpoint } of [before, after]) {
    const leaf = leafHash(Buffer.from(leafData));
    expect(inclusionHolds(leaf, index, treeSize, hashes, rootOfNote(checkpoint))).toBe(true);
  }
  expect(valueOf(log.event(1)).line).toBe(before.leafData);
  const [first, second] = [before.treeSize, after.treeSize];
  const proof = valueOf(log.consistency(first, second));
  const roots = [rootOfNote(before.checkpoint), rootOfNote(after.checkpoint)] as const;
  expect(consistencyHolds(first, second, proof, ...roots)).toBe(true);
});
