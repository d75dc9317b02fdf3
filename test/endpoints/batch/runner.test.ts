import { onTestFinished, describe, expect, test, vi } from "vitest";
import { scanRates } from "../../../src/billing/scan-price.ts";
import type { ErrorCode } from "../../../src/contract/errors.ts";
import { refuse } from "../../../src/contract/errors.ts";
import {
  batchExpiredPerTurn,
  batchFreeRetriesMs,
  batchJobMsMax,
  batchResultsMs,
  batchRetryMs,
  batchYieldWindowMs,
} from "../../../src/contract/limits.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import { BatchRunner } from "../../../src/endpoints/batch/runner.ts";
import { RequestScans } from "../../../src/endpoints/batch/request-scans.ts";
import { ledgerUnavailable } from "../../../src/store/ledger/hold-refusals.ts";
import type { Hold } from "../../../src/store/ledger/ledger.ts";
import type { JobView } from "../../../src/store/embedded/jobs/job-views.ts";
import { Jobs } from "../../../src/store/embedded/jobs/jobs.ts";
import type { ScanReport } from "../../../src/workers/report/reporter.ts";
import { held, openBooks, orgId, topUp, spendable, type Books } from "../../store/ledger/books.ts";
import { ManualClock } from "../../store/manual-clock.ts";
import { valueOf } from "../../store/temporary-store.ts";

const report: ScanReport = {
  kind: "report",
  input_tokens: 3,
  billable_tokens: 3,
  scannedJson: `{"spans":[],"unscanned":[]}`,
  injection: null,
  entities: null,
  detectionsJson: "[]",
  findingCounts: null,
  redactedJson: null,
};

interface World {
  readonly books: Books;
  readonly jobs: Jobs;
  readonly clock: ManualClock;
  readonly runner: BatchRunner;
  /** Codes of ended items and of tries, in their order. */
  readonly records: (ErrorCode | null)[];
  readonly requestScans: RequestScans;
  scansQueued: number;
  /** Items that were scanned at once, at most. */
  atOnceMax: number;
  /** What the detectors answer. */
  answer: () => Outcome<ScanReport>;
  /** What takes a record. */
  record: () => void;
  /** Bugs that the runner was told of; each test says how many it expects. */
  readonly failures: unknown[];
  /** What the scan limit answers. */
  unit: () => Outcome<null>;
  units: number;
  scans: number;
}

/** A runner over real books, with a clock that is set and detectors that answer as they are told. */
async function world(): Promise<World> {
  const books = await openBooks();
  const clock = new ManualClock();
  const jobs = new Jobs({ tables: books.store.journal, journal: books.journal, clock });
  const state = {
    scansQueued: 0,
    answer: (): Outcome<ScanReport> => accept(report),
    unit: (): Outcome<null> => accept(null),
    record: (): void => undefined,
    units: 0,
    scans: 0,
    atOnceMax: 0,
  };
  const requestScans = new RequestScans(clock, () => state.scansQueued);
  let atOnce = 0;
  const records: (ErrorCode | null)[] = [];
  const failures: unknown[] = [];
  const runner = new BatchRunner({
    jobs,
    clock,
    contentBytesMax: 1_000,
    itemsAtOnceMax: 2,
    requestScans,
    rateLimits: {
      scanUnits: () => {
        state.units += 1;
        return state.unit();
      },
    },
    payments: { ledger: books.ledger, findOrganization: () => undefined },
    rates: scanRates({
      injectionUsdPerMillion: "0.10",
      entityUsdPerMillion: "0.05",
      minimumBillableTokens: 100,
    }),
    report: async () => {
      state.scans += 1;
      atOnce += 1;
      state.atOnceMax = Math.max(state.atOnceMax, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return state.answer();
    },
    searchPatterns: () => Promise.resolve(refuse("internal_error", "no patterns here")),
    records: ({ errorCode }) => {
      state.record();
      records.push(errorCode);
    },
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => runner.stop());
  return Object.assign(state, { books, jobs, clock, runner, records, failures, requestScans });
}

async function submit({ jobs }: World, count: number): Promise<string> {
  const payloads = Array.from({ length: count }, (_, i) => `{"id":"${i}","input":"hi"}`);
  const body = Buffer.from(payloads.join(""));
  const starts = payloads.map((_, i) => payloads.slice(0, i).join("").length);
  const ends = payloads.map((_, i) => payloads.slice(0, i + 1).join("").length);
  const ids = payloads.map((_, i) => `${i}`);
  return valueOf(await jobs.submit({ orgId, apiKeyId: "key", ids, body, starts, ends })).jobId;
}

/** Lets the runner start what may start, and waits until it has ended and is stored. */
async function run({ runner, books, jobs }: World, jobId: string): Promise<JobView> {
  runner.wake();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await books.journal.appliedAll(null);
  const view = jobs.views.find(orgId, jobId);
  if (view === undefined) throw new Error("the job is gone");
  return view;
}

function resultOf({ jobs }: World, jobId: string, index: number): unknown {
  return JSON.parse(Buffer.from(jobs.views.result(jobId, index) ?? []).toString());
}

/** All of the balance, for another request. */
async function reserved(at: World): Promise<Hold> {
  await topUp(at.books.ledger, "1.00");
  return held(at.books.ledger, "1.00");
}

describe("payg_reserved", () => {
  test("uses no attempt in the first 30 minutes, and waits as long as it says", async () => {
    const at = await world();
    const hold = await reserved(at);
    const jobId = await submit(at, 1);
    for (let tries = 0; tries < 10; tries++) {
      const view = await run(at, jobId);
      expect(view).toMatchObject({ status: "running", counts: { queued: 1 } });
      at.clock.advance(1_999);
      await run(at, jobId);
      at.clock.advance(1);
    }
    at.clock.advance(batchFreeRetriesMs - 10 * 2_000 - 1);
    expect((await run(at, jobId)).counts.queued).toBe(1);
    at.clock.advance(2_000);
    at.books.ledger.release(hold, []);
    expect((await run(at, jobId)).status).toBe("completed");
    // One unit of the scan limit, however often it was tried.
    expect([at.units, at.scans]).toEqual([1, 1]);
  });

  test("uses an attempt each time after that; the third ends the item with its code", async () => {
    const at = await world();
    await reserved(at);
    const jobId = await submit(at, 1);
    at.clock.advance(batchFreeRetriesMs);
    for (const failed of [0, 0, 1]) {
      expect((await run(at, jobId)).counts.failed).toBe(failed);
      at.clock.advance(2_000);
    }
    expect(resultOf(at, jobId, 0)).toMatchObject({
      id: "0",
      status: "failed",
      scan_id: null,
      result: { error: { code: "payg_reserved", retryable: true } },
    });
    expect(at.jobs.views.find(orgId, jobId)?.status).toBe("failed");
    expect(at.records).toEqual(["payg_reserved"]);
  });

  test("counts attempts over a restart", async () => {
    const at = await world();
    await reserved(at);
    const jobId = await submit(at, 1);
    at.clock.advance(batchFreeRetriesMs);
    await run(at, jobId);
    const { store, journal } = at.books;
    const jobs = new Jobs({ tables: store.journal, journal, clock: at.clock });
    expect(jobs.claim()).toMatchObject({ attempts: 1 });
  });
});

test("an item that the balance can't cover fails at once", async () => {
  const at = await world();
  await topUp(at.books.ledger, "0.000001");
  const jobId = await submit(at, 1);
  expect((await run(at, jobId)).status).toBe("failed");
  expect(resultOf(at, jobId, 0)).toMatchObject({
    result: { error: { code: "insufficient_balance" } },
  });
});

test("an item on which the scanner fails is tried three times, and costs nothing", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  at.answer = () => refuse("detector_unavailable", "no", { retryAfterSeconds: 1 });
  const jobId = await submit(at, 1);
  for (const failed of [0, 0, 1]) {
    expect((await run(at, jobId)).counts.failed).toBe(failed);
    at.clock.advance(1_000);
  }
  expect(at.scans).toBe(3);
  expect(spendable(at.books.ledger)).toEqual([1, 1]);
});

test("an item that found the books closed is tried again, and uses no attempt", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  const jobId = await submit(at, 1);
  for (let tries = 0; tries < 4; tries++) {
    vi.spyOn(at.books.ledger, "hold").mockReturnValueOnce(ledgerUnavailable);
    expect((await run(at, jobId)).counts.queued).toBe(1);
    at.clock.advance(1_000);
  }
  expect((await run(at, jobId)).status).toBe("completed");
  expect(at.scans).toBe(1);
});

test("an item that meets a bug each time fails at its third attempt, and costs nothing", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  at.answer = bug;
  const jobId = await submit(at, 2);
  for (const failed of [0, 0, 2]) {
    expect((await run(at, jobId)).counts.failed).toBe(failed);
    at.clock.advance(batchRetryMs);
  }
  expect([at.scans, at.failures.length]).toEqual([6, 6]);
  expect(resultOf(at, jobId, 0)).toMatchObject({
    status: "failed",
    result: { error: { code: "internal_error" } },
  });
  expect(at.records).toEqual(["internal_error", "internal_error"]);
  expect(spendable(at.books.ledger)).toEqual([1, 1]);
});

test("an item that has ended stays ended, whatever fails behind its end", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  at.record = bug;
  at.unit = once(at.unit, () => refuse("rate_limit_exceeded", "full", { retryAfterSeconds: 30 }));
  const jobId = await submit(at, 2);
  expect((await run(at, jobId)).counts).toMatchObject({ completed: 1, queued: 1 });
  at.unit = () => accept(null);
  at.clock.advance(30_000);
  expect(await run(at, jobId)).toMatchObject({ status: "completed", counts: { completed: 2 } });
  expect([at.scans, at.failures.length]).toEqual([2, 2]);
  expect(spendable(at.books.ledger)).toEqual([0.99998, 0.99998]);
});

test("each completed item is debited once, under its own key", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  const jobId = await submit(at, 5);
  expect(await run(at, jobId)).toMatchObject({ status: "completed", counts: { completed: 5 } });
  const { entries } = valueOf(at.books.ledger.list({ orgId, limit: 10, cursor: null }));
  const keys = entries
    .filter(({ type }) => type === "debit")
    .map(({ idempotencyKey }) => idempotencyKey);
  expect(keys.sort()).toEqual([0, 1, 2, 3, 4].map((index) => `${jobId}/${index}`));
  expect(spendable(at.books.ledger)).toEqual([0.99995, 0.99995]);
});

test("items wait while the scan limit is full, however long; a start takes one unit", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  at.unit = () => refuse("rate_limit_exceeded", "full", { retryAfterSeconds: 30 });
  const jobId = await submit(at, 2);
  expect(await run(at, jobId)).toMatchObject({ status: "queued", counts: { queued: 2 } });
  at.clock.advance(29_999);
  await run(at, jobId);
  expect(at.units).toBe(1);
  at.unit = () => accept(null);
  at.clock.advance(1);
  expect((await run(at, jobId)).counts.completed).toBe(2);
  expect(at.units).toBe(3);
});

test("nothing starts while a request waits for a worker", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  at.scansQueued = 1;
  const jobId = await submit(at, 3);
  expect((await run(at, jobId)).counts.queued).toBe(3);
  at.scansQueued = 0;
  expect((await run(at, jobId)).counts.completed).toBe(3);
});

test("items run one at a time and rest in between while requests are scanned", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  at.requestScans.began();
  const jobId = await submit(at, 3);
  await run(at, jobId);
  // Its rests are of real time, the last one behind the last item.
  const eventually = { timeout: 20_000 };
  await expect.poll(() => at.scans, eventually).toBe(3);
  expect(at.atOnceMax).toBe(1);
  at.clock.advance(batchYieldWindowMs);
  await run(at, await submit(at, 4));
  await expect.poll(() => at.atOnceMax, eventually).toBe(2);
});

test("what waits at the end of the job's lifetime fails, and what has ended stays", async () => {
  const at = await world();
  const hold = await reserved(at);
  const jobId = await submit(at, 2);
  at.books.ledger.release(hold, []);
  at.unit = once(at.unit, () => refuse("rate_limit_exceeded", "full", { retryAfterSeconds: 30 }));
  expect((await run(at, jobId)).counts).toMatchObject({ completed: 1, queued: 1 });
  at.clock.advance(batchJobMsMax);
  at.runner.sweep();
  expect(await run(at, jobId)).toMatchObject({
    status: "completed",
    items: ["completed", "failed"],
    counts: { completed: 1, failed: 1 },
  });
  expect(resultOf(at, jobId, 1)).toMatchObject({
    id: "1",
    status: "failed",
    result: { error: { code: "scan_job_expired" } },
  });
});

test("many that expire together fail over several turns", async () => {
  const at = await world();
  at.unit = () => refuse("rate_limit_exceeded", "full", { retryAfterSeconds: 30 });
  const items = 2 * batchExpiredPerTurn + 1;
  const jobId = await submit(at, items);
  at.clock.advance(batchJobMsMax);
  at.runner.sweep();
  const left = at.jobs.openItems;
  expect(left).toBeGreaterThanOrEqual(items - batchExpiredPerTurn);
  await new Promise((resolve) => setImmediate(resolve));
  expect(at.jobs.openItems).toBe(left - batchExpiredPerTurn);
  await expect.poll(() => at.jobs.openItems).toBe(0);
  expect((await run(at, jobId)).counts).toMatchObject({ failed: items });
});

test("results that were kept for long enough are removed, and not behind a stop", async () => {
  const at = await world();
  await topUp(at.books.ledger, "1.00");
  await run(at, await submit(at, 1));
  const { jobResults } = at.books.store.journal;
  const swept = async () => {
    at.runner.sweep();
    await at.books.journal.appliedAll(null);
    // lmdb may still read as of an earlier moment of this turn.
    jobResults.resetReadTxn();
    return jobResults.getKeysCount();
  };
  expect(await swept()).toBe(1);
  await run(at, await submit(at, 1));
  at.clock.advance(batchResultsMs);
  expect(await swept()).toBe(0);
  const jobId = await submit(at, 1);
  await at.runner.stop();
  at.clock.advance(batchJobMsMax);
  expect(await swept()).toBe(0);
  expect(at.jobs.views.find(orgId, jobId)?.status).toBe("queued");
});

function bug(): never {
  throw new Error("a bug");
}

/** `first` the first time, `then` from there on. */
function once<T>(first: () => T, then: () => T): () => T {
  let answer = first;
  return () => {
    const now = answer;
    answer = then;
    return now();
  };
}
