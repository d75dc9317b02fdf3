import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { canonicalEvent } from "../../../src/contract/audit.ts";
import { auditDisorderMsMax, checkpointEventsMax } from "../../../src/contract/limits.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { endsBefore, LmdbAuditLog, passes } from "../../../src/store/audit/audit-log.ts";
import { CheckpointPublisher } from "../../../src/store/audit/publisher.ts";
import { newSigningKey, noteSigner } from "../../../src/store/audit/signed-note.ts";
import { createdAtOf } from "../../../src/store/audit/event-line.ts";
import { appendEvents } from "../../../src/store/journal/batch.ts";
import { openJournalTables } from "../../../src/store/journal/journal-tables.ts";
import { abortableAndFlushed, openRoot } from "../../../src/store/open-root.ts";
import { temporaryDirectory } from "../temporary-store.ts";

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

/** A log of events at these hours after `start`, so many written together. */
function logOf(hours: readonly number[], together: number): LmdbAuditLog {
  const { root, tables } = openTables();
  const lines = hours.map(lineAt);
  root.transactionSync(() => {
    for (let at = 0; at < lines.length; at += together) {
      appendEvents(tables, lines.slice(at, at + together));
    }
  });
  return new LmdbAuditLog(tables, "", () => Promise.resolve(accept(null)));
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
  let next = filter.since === null ? 0 : log.placeOf(filter.since);
  for (;;) {
    const run = log.run(next);
    const last = run.at(-1);
    found.push(...run.filter(({ line }) => passes(line, filter)).map(({ index }) => index));
    if (last === undefined || endsBefore(createdAtOf(last.line), filter, log)) return found;
    next = last.index + 1;
  }
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
      const page = { ...filterOf(from, to), limit: 1_000, before: null, scannedMax: 1_000 };
      const listed = log.list(page).events.map(({ index }) => index);
      expect(listed).toEqual(wanted.toReversed());
      expect(walked(log, from, to)).toEqual(wanted);
    }),
    { numRuns: 40 },
  );
});

test("events of a store that did not note their disorder are found over a minute of it", () => {
  const minute = 1 / 60;
  // Half of the events were dated by a thread whose clock was read before.
  const made = Array.from(
    { length: 200 },
    (_, at) => 1 + (at % 2 === 0 ? at : at - 28) * (minute / 30),
  );
  const { root, tables } = openTables();
  root.transactionSync(() => {
    for (const hour of made) appendEvents(tables, [lineAt(hour)]);
    tables.meta.removeSync("eventDisorderMs");
  });
  const log = new LmdbAuditLog(tables, "", () => Promise.resolve(accept(null)));
  expect(log.disorderMs).toBe(auditDisorderMsMax);
  for (const border of made) {
    for (const [since, until] of [
      [border, null],
      [null, border],
    ] as const) {
      const wanted = made.flatMap((hour, index) =>
        (since === null || hour >= since) && (until === null || hour < until) ? [index] : [],
      );
      const page = { ...filterOf(since, until), limit: 1_000, before: null, scannedMax: 1_000 };
      expect(log.list(page).events.map(({ index }) => index)).toEqual(wanted.toReversed());
      expect(walked(log, since, until)).toEqual(wanted);
    }
  }
});

test.each(["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:30.000Z"])(
  "until %s is all of it",
  (end) => {
    const hour = (Date.parse(end) - start) / hourMs;
    const log = logOf([0, 1, 2], 1);
    const page = { ...filterOf(null, hour), limit: 10, before: null, scannedMax: 10 };
    expect(log.list(page).events).toHaveLength(3);
    expect(walked(log, null, hour)).toEqual([0, 1, 2]);
    expect(log.placeOf("0000-01-01T00:00:00.000Z")).toBe(0);
  },
);

test("where it has run forward a list stops at what is too old", () => {
  const log = logOf(
    Array.from({ length: 2_000 }, (_, hour) => hour),
    10,
  );
  expect(log.disorderMs).toBeLessThan(hourMs);
  const page = { ...filterOf(1_990, null), limit: 1_000, before: null, scannedMax: 100 };
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
