import { expect, it, onTestFinished } from "vitest";
import { canonicalEvent } from "../../../../src/contract/audit.ts";
import { auditTimesStepEvents } from "../../../../src/contract/limits.ts";
import type { Debt } from "../../../../src/store/journal/batch.ts";
import { lmdbLedgerReads } from "../../../../src/store/embedded/ledger/ledger-reads.ts";
import { openBooks, spendable, topUp } from "../../ledger/books.ts";
import { openedStore, temporaryDirectory } from "../../temporary-store.ts";

const events = 2 * auditTimesStepEvents + 500;
const startMs = Date.parse("2026-01-01T00:00:00Z");
/** The clock is set back by a day in the middle. */
const timeOf = (event: number) =>
  new Date(startMs + event * 1_000 - (event > events / 2 ? 86_400_000 : 0)).toISOString();

function lineOf(event: number): string {
  const about = { orgId: null, requestId: null, data: { number: event } };
  return canonicalEvent({ eventType: "key.created", message: "", ...about }, timeOf(event));
}

function debtOf(requestId: string, owedAt: string | null): Debt {
  const debt = { requestId, cost: "1000000", catalogVersion: null, usage: null };
  return owedAt === null ? debt : { ...debt, owedAt };
}

const day = (of: number) => new Date(startMs + of * 86_400_000).toISOString();

/** A store as the release of version 3 left it. */
async function writeVersion3(dataDir: string): Promise<void> {
  const store = await openedStore(dataDir);
  const books = await openBooks({ store });
  for (let event = 0; event < events; event += 1) books.journal.append([lineOf(event)]);
  await topUp(books.ledger, "0.5");
  await books.close();
  const { journal, tables } = store;
  await journal.debts.transaction(() => {
    for (const debt of [
      debtOf("a-newest", day(3)),
      debtOf("b-oldest", null),
      debtOf("c-second", day(1)),
      debtOf("d-third", day(2)),
    ]) {
      journal.debts.putSync(["org_1", debt.requestId], debt);
    }
    journal.debts.putSync(["org_0", "e"], debtOf("e", day(9)));
    for (let i = 0; i < 10_000; i += 1)
      journal.debts.putSync(["org_2", `f-${i}`], debtOf("", null));
    journal.eventTimes.clearSync();
    tables.meta.putSync("schemaVersion", 3);
  });
  await journal.debts.flushed;
  await store.close();
}

it("opens a store of version 3: its debts are paid in their order, and its log is filtered as before", async () => {
  const dataDir = temporaryDirectory();
  await writeVersion3(dataDir);
  const store = await openedStore(dataDir);
  onTestFinished(() => store.close());
  expect(store.tables.meta.get("schemaVersion")).toBe(6);
  const reads = lmdbLedgerReads(store.journal);
  expect([...reads.debtors()]).toEqual(["org_0", "org_1", "org_2"]);
  expect(reads.debts("org_1", null, 9).map(({ requestId }) => requestId)).toEqual([
    "b-oldest",
    "c-second",
    "d-third",
    "a-newest",
  ]);
  expect(store.journal.debtsByAge.getCount()).toBe(store.journal.debts.getCount());

  const books = await openBooks({ store });
  const filter = { substrings: [], matches: () => true, limit: 1_000, scannedMax: 1_000_000 };
  const since = timeOf(events / 2 + 10);
  const until = timeOf(events / 2 + 20);
  const found = () =>
    books.auditLog
      .list({ ...filter, since, until, before: null })
      .events.map(({ line }) => (JSON.parse(line) as { data: { number: number } }).data.number);
  const wanted = Array.from({ length: events }, (_, event) => event)
    .filter((event) => timeOf(event) >= since && timeOf(event) < until)
    .toReversed();
  expect(wanted.length).toBeGreaterThanOrEqual(10);
  expect(found()).toEqual(wanted);
  // Its times are noted by and by.
  const from = (): number => {
    store.journal.meta.resetReadTxn();
    return store.journal.meta.get("eventTimesFrom") ?? 0;
  };
  expect(from()).toBeGreaterThan(0);
  await expect.poll(from, { timeout: 30_000, interval: 10 }).toBe(0);
  expect(found()).toEqual(wanted);

  await topUp(books.ledger, "2", "second");
  expect(spendable(books.ledger)).toEqual([0.5, 0.5]);
  expect(reads.debts("org_1", null, 9).map(({ requestId }) => requestId)).toEqual([
    "d-third",
    "a-newest",
  ]);
});

it("goes on noting where it was stopped", async () => {
  const dataDir = temporaryDirectory();
  await writeVersion3(dataDir);
  for (let before = events; before > 0;) {
    const store = await openedStore(dataDir);
    before = store.journal.meta.get("eventTimesFrom") ?? 0;
    const books = await openBooks({ store });
    const from = (): number => {
      store.journal.meta.resetReadTxn();
      return store.journal.meta.get("eventTimesFrom") ?? 0;
    };
    if (before > 0) {
      await expect.poll(from, { timeout: 30_000, interval: 2 }).toBeLessThan(before);
    }
    await books.close();
    await store.close();
  }
});
