import { describe, expect, test } from "vitest";
import {
  batchBacklogBytesMax,
  batchBacklogItemsMax,
  batchJobMsMax,
  batchRemovalsAtOnce,
  batchResultsMs,
} from "../../../../src/contract/limits.ts";
import type { JobPlace, JobsPage } from "../../../../src/store/embedded/jobs/job-views.ts";
import { Jobs, type ClaimedItem, type NewJob } from "../../../../src/store/embedded/jobs/jobs.ts";
import { noRoom } from "../../../../src/store/embedded/files/disk-room.ts";
import { accept } from "../../../../src/contract/outcome.ts";
import { applyBatch } from "../../../../src/store/journal/batch.ts";
import { Journal } from "../../../../src/store/journal/journal.ts";
import { openBooks, orgId, topUp, held, chargeOf, spendable } from "../../ledger/books.ts";
import { ManualClock } from "../../manual-clock.ts";
import {
  codeOf,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "../../temporary-store.ts";
import type { Books } from "../../ledger/books.ts";

function jobOf(payloads: readonly string[]): NewJob {
  const body = Buffer.from(payloads.join(""));
  const ends: number[] = [];
  for (const payload of payloads) ends.push((ends.at(-1) ?? 0) + payload.length);
  const starts = ends.map((end, i) => end - (payloads[i] ?? "").length);
  return { orgId, apiKeyId: "key_1", ids: payloads.map((_, i) => `i${i}`), body, starts, ends };
}

interface Opened {
  readonly books: Books;
  readonly jobs: Jobs;
  readonly clock: ManualClock;
}

async function open(books?: Books, clock = new ManualClock()): Promise<Opened> {
  const opened = books ?? (await openBooks());
  const { store, journal } = opened;
  return { books: opened, jobs: new Jobs({ tables: store.journal, journal, clock }), clock };
}

function claimed(jobs: Jobs): ClaimedItem {
  const item = jobs.claim();
  if (item === undefined) throw new Error("nothing may start");
  return item;
}

const done = { status: "completed", result: '{"id":"i0"}' } as const;
const broken = { status: "failed", result: '{"id":"i1"}' } as const;

describe("a submission", () => {
  test("is stored as it was sent when it is answered", async () => {
    const { jobs, books } = await open();
    const { jobId } = valueOf(await jobs.submit(jobOf(["one", "three"])));
    const tables = books.store.journal;
    expect(Buffer.from(tables.jobPayloads.get([jobId, 1]) ?? []).toString()).toBe("three");
    expect(jobs.views.find(orgId, jobId)).toMatchObject({
      status: "queued",
      counts: { queued: 2, running: 0, completed: 0, failed: 0 },
      ids: ["i0", "i1"],
      completedAtMs: null,
    });
  });

  test("that is not wanted any more when it is stored is removed, and nothing of it runs", async () => {
    const { jobs, books, clock } = await open();
    expect(codeOf(await jobs.submit(jobOf(["one"]), () => false))).toBe("invalid_request");
    expect(jobs.claim()).toBeUndefined();
    await books.journal.appliedAll(null);
    const { jobs: again } = await open(books, clock);
    expect(again.isEmpty).toBe(true);
    // Nor is anything left of what was submitted.
    expect(books.store.journal.jobPayloads.getKeysCount()).toBe(0);
  });

  test("of another workspace is not found", async () => {
    const { jobs } = await open();
    const { jobId } = valueOf(await jobs.submit(jobOf(["one"])));
    expect(jobs.views.find("org_2", jobId)).toBeUndefined();
    expect(jobs.views.find(orgId, "scanjob_0")).toBeUndefined();
  });

  test("that would exceed the items of the backlog is refused whole", async () => {
    const { jobs } = await open();
    const almost = jobOf(Array.from({ length: batchBacklogItemsMax - 1 }, () => "x"));
    // Both at once: what is being stored counts.
    const [first, second, other] = await Promise.all([
      jobs.submit(almost),
      jobs.submit(jobOf(["a", "b"])),
      jobs.submit({ ...jobOf(["a", "b"]), orgId: "org_2" }),
    ]);
    expect([codeOf(first), codeOf(other)]).toEqual(["accepted", "accepted"]);
    expect(second).toMatchObject({
      refusal: {
        code: "scan_batch_backlog_exceeded",
        details: { queued: batchBacklogItemsMax - 1, limit: batchBacklogItemsMax },
      },
    });
    expect(codeOf(await jobs.submit(jobOf(["a"])))).toBe("accepted");
  });

  test("that would exceed its bytes as well", async () => {
    const { jobs } = await open();
    // What counts are the places of its items, which here have nothing behind them.
    const job = { ...jobOf(["x"]), ends: [batchBacklogBytesMax + 1] };
    expect(await jobs.submit(job)).toMatchObject({
      refusal: { details: { queued: 0, limit: batchBacklogBytesMax } },
    });
    const most = { ...job, ends: [batchBacklogBytesMax] };
    // All at once: what is being stored counts, of the same workspace alone.
    const codes = await Promise.all([
      jobs.submit(most),
      jobs.submit(jobOf(["a"])),
      jobs.submit({ ...jobOf(["a"]), orgId: "org_2" }),
    ]);
    expect(codes.map(codeOf)).toEqual(["accepted", "scan_batch_backlog_exceeded", "accepted"]);
  });

  test("may come when an item has ended", async () => {
    const { jobs } = await open();
    await jobs.submit(jobOf(Array.from({ length: batchBacklogItemsMax }, () => "x")));
    expect(codeOf(await jobs.submit(jobOf(["a"])))).toBe("scan_batch_backlog_exceeded");
    jobs.end(claimed(jobs), done);
    expect(codeOf(await jobs.submit(jobOf(["a"])))).toBe("accepted");
  });
});

test("a submission that can't be stored is refused, and does not run later either", async () => {
  const store = await temporaryStore();
  let isFull = true;
  const journal = new Journal({
    writer: {
      write: (batch) =>
        isFull
          ? Promise.resolve(noRoom)
          : store.write(() => {
              applyBatch(store.journal, batch);
              return accept(null);
            }),
      apply: () => Promise.resolve(accept(null)),
      close: () => Promise.resolve(),
    },
    lastBatch: 0,
    retryMs: 10,
    onFlushFailed: () => undefined,
  });
  const jobs = new Jobs({ tables: store.journal, journal, clock: new ManualClock() });
  expect(codeOf(await jobs.submit(jobOf(["one"])))).toBe("internal_error");
  // While the store can't be written nothing is taken, and nothing starts.
  expect(codeOf(await jobs.submit(jobOf(["two"])))).toBe("internal_error");
  expect(jobs.accepting).toBe(false);
  isFull = false;
  await journal.appliedAll(null);
  expect(jobs.claim()).toBeUndefined();
  const again = new Jobs({ tables: store.journal, journal, clock: new ManualClock() });
  expect(again.isEmpty).toBe(true);
  await journal.close();
});

test("submissions whose store hangs stay counted until they are written, and are bounded", async () => {
  const store = await temporaryStore();
  const hang = Promise.withResolvers<undefined>();
  const journal = new Journal({
    writer: {
      write: () => hang.promise.then(() => accept(null)),
      apply: () => Promise.resolve(accept(null)),
      close: () => Promise.resolve(),
    },
    lastBatch: 0,
    onFlushFailed: () => undefined,
  });
  const jobs = new Jobs({ tables: store.journal, journal, clock: new ManualClock() });
  const item = batchBacklogBytesMax / 4;
  const body = Buffer.alloc(item);
  const large = { orgId, apiKeyId: "key_1", ids: ["a"], body, starts: [0], ends: [item] };
  const submit = (orgId: string) => jobs.submit({ ...large, orgId });
  const first = await Promise.all([1, 2, 3, 4].map(() => submit(orgId)));
  expect(first.map(codeOf)).toEqual(Array.from({ length: 4 }, () => "internal_error"));
  expect(journal.pendingBytes).toBeGreaterThan(batchBacklogBytesMax);
  // Whoever gave up waiting, all four are in memory.
  expect(codeOf(await submit(orgId))).toBe("scan_batch_backlog_exceeded");
  expect(codeOf(await submit("org_2"))).toBe("internal_error");
  expect(journal.pendingBytes).toBeLessThan(batchBacklogBytesMax + item);
  hang.resolve(undefined);
  await journal.appliedAll(null);
  expect(journal.pendingBytes).toBe(0);
  expect(codeOf(await jobs.submit(jobOf(["one"])))).toBe("accepted");
  await journal.close();
});

describe("an item that ends", () => {
  test("leaves its result and no payload", async () => {
    const { jobs, books, clock } = await open();
    const { jobId } = valueOf(await jobs.submit(jobOf(["one", "two"])));
    const [first, second] = [claimed(jobs), claimed(jobs)];
    expect(Buffer.from(jobs.payload(second) ?? []).toString()).toBe("two");
    expect(jobs.views.find(orgId, jobId)).toMatchObject({
      status: "running",
      counts: { running: 2 },
    });
    jobs.end(second, broken);
    // Until it is stored it counts as running.
    expect(jobs.views.find(orgId, jobId)?.counts).toEqual({
      queued: 0,
      running: 2,
      completed: 0,
      failed: 0,
    });
    await books.journal.appliedAll(null);
    expect(jobs.payload(second)).toBeUndefined();
    expect(jobs.views.find(orgId, jobId)?.counts).toEqual({
      queued: 0,
      running: 1,
      completed: 0,
      failed: 1,
    });
    clock.advance(5);
    jobs.end(first, done);
    await books.journal.appliedAll(null);
    expect(jobs.views.find(orgId, jobId)).toMatchObject({
      status: "completed",
      items: ["completed", "failed"],
      completedAtMs: clock.wallMs(),
    });
    expect(Buffer.from(jobs.views.result(jobId, 0) ?? []).toString()).toBe(done.result);
    expect(jobs.isEmpty).toBe(true);
  });

  test("fails its job where every other failed", async () => {
    const { jobs, books } = await open();
    const { jobId } = valueOf(await jobs.submit(jobOf(["one"])));
    jobs.end(claimed(jobs), broken);
    await books.journal.appliedAll(null);
    expect(jobs.views.find(orgId, jobId)?.status).toBe("failed");
  });

  test("ends once, whatever is appended", async () => {
    const { jobs, books } = await open();
    const { jobId } = valueOf(await jobs.submit(jobOf(["one", "two"])));
    const item = claimed(jobs);
    const ending = jobs.ending(item, done);
    books.journal.append([], [ending, { ...ending, status: "failed", result: "{}" }]);
    await books.journal.appliedAll(null);
    expect(jobs.views.find(orgId, jobId)?.counts).toMatchObject({ completed: 1, failed: 0 });
  });

  test("is stored in the batch of its debit, or neither is", async () => {
    const directory = temporaryDirectory();
    const store = await openedStore(directory);
    const { jobs, books } = await open(await openBooks({ store }));
    await topUp(books.ledger, "1.00");
    const { jobId } = valueOf(await jobs.submit(jobOf(["one"])));
    const item = claimed(jobs);
    const hold = held(books.ledger, "0.5", { requestId: `${jobId}/0` });
    books.ledger.settle(hold, chargeOf("0.25"), [], [jobs.ending(item, done)]);
    // Neither is there before the flush …
    expect(jobs.views.find(orgId, jobId)?.counts.completed).toBe(0);
    expect(books.ledger.list({ orgId, limit: 5, cursor: null })).toMatchObject({
      value: { entries: { length: 1 } },
    });
    await books.journal.appliedAll(null);
    // … and both are behind it.
    expect(jobs.views.find(orgId, jobId)?.counts.completed).toBe(1);
    expect(spendable(books.ledger)[0]).toBe(0.75);
    await books.close();
    await store.close();
  });
});

describe("a start", () => {
  test("takes up what has not ended, with its attempts; what was claimed is queued again", async () => {
    const first = await open();
    const { jobId } = valueOf(await first.jobs.submit(jobOf(["one", "two", "three"])));
    const [a, b] = [claimed(first.jobs), claimed(first.jobs)];
    first.jobs.end(a, done);
    first.jobs.putBack(b, 2, 0);
    claimed(first.jobs);
    await first.books.journal.appliedAll(null);
    const { jobs } = await open(first.books);
    expect(jobs.views.find(orgId, jobId)).toMatchObject({
      status: "running",
      counts: { queued: 2, running: 0, completed: 1, failed: 0 },
    });
    expect([claimed(jobs), claimed(jobs)]).toMatchObject([
      { index: 1, attempts: 2, id: "i1", apiKeyId: "key_1" },
      { index: 2, attempts: 0 },
    ]);
    expect(jobs.claim()).toBeUndefined();
  });

  test("finds nothing of jobs that have ended", async () => {
    const first = await open();
    await first.jobs.submit(jobOf(["one"]));
    first.jobs.end(claimed(first.jobs), done);
    await first.books.journal.appliedAll(null);
    expect((await open(first.books)).jobs.isEmpty).toBe(true);
  });
});

describe("a list", () => {
  const listed = (jobs: Jobs, of: string | null, limit = 9) => {
    const pages: string[][] = [];
    let after: JobPlace | null = null;
    do {
      const page: JobsPage = jobs.views.list({ orgId: of, limit, after });
      pages.push(page.jobs.map(({ jobId }) => jobId));
      after = page.next;
    } while (after !== null);
    return pages;
  };

  test("has the jobs of one organization or of all, newest first, also of one moment", async () => {
    const { jobs, clock } = await open();
    const mine: string[] = [];
    const all: string[] = [];
    for (const of of [orgId, "org_2", orgId, orgId]) {
      const { jobId } = valueOf(await jobs.submit({ ...jobOf(["one"]), orgId: of }));
      all.unshift(jobId);
      if (of === orgId) mine.unshift(jobId);
      clock.advance(1);
    }
    expect(listed(jobs, orgId, 2)).toEqual([mine.slice(0, 2), mine.slice(2)]);
    expect(listed(jobs, null, 3)).toEqual([all.slice(0, 3), all.slice(3)]);
    expect(listed(jobs, "org_3")).toEqual([[]]);
    const twins = [];
    for (let i = 0; i < 3; i++) twins.push(valueOf(await jobs.submit(jobOf(["one"]))).jobId);
    const pages = listed(jobs, orgId, 1);
    expect(pages.slice(0, 3).flat().toSorted()).toEqual(twins.toSorted());
    expect(pages.slice(3).flat()).toEqual(mine);
  });

  test("says of each job what its own view says", async () => {
    const { jobs, books, clock } = await open();
    for (let i = 0; i < 4; i++) {
      await jobs.submit(jobOf(["one", "two", "three"]));
      clock.advance(1);
    }
    const checked = () => {
      const rows = jobs.views.list({ orgId, limit: 9, after: null }).jobs;
      expect(rows).toHaveLength(4);
      for (const { jobId, status, counts, createdAtMs, completedAtMs, itemCount } of rows) {
        const view = jobs.views.find(orgId, jobId);
        expect(view).toMatchObject({ status, counts, createdAtMs, completedAtMs });
        expect(itemCount).toBe(view?.items.length);
      }
      return rows.map(({ status }) => status);
    };
    expect(checked()).toEqual(["queued", "queued", "queued", "queued"]);
    const first = [claimed(jobs), claimed(jobs), claimed(jobs)];
    for (const item of first) jobs.end(item, done);
    // Ended in memory, and not yet in the store.
    checked();
    await books.journal.appliedAll(null);
    const second = [claimed(jobs), claimed(jobs), claimed(jobs)];
    for (const item of second) jobs.end(item, broken);
    jobs.putBack(claimed(jobs), 1, 0);
    await books.journal.appliedAll(null);
    expect(checked()).toEqual(["queued", "running", "failed", "completed"]);
    const { jobs: again } = await open(books, clock);
    expect(again.views.list({ orgId, limit: 9, after: null }).jobs[0]).toMatchObject({
      status: "queued",
      counts: { queued: 3 },
    });
  });

  test("leaves out jobs whose results have been removed, before they are gone", async () => {
    const { jobs, books, clock } = await open();
    await jobs.submit(jobOf(["one"]));
    jobs.end(claimed(jobs), done);
    await books.journal.appliedAll(null);
    clock.advance(1);
    const { jobId } = valueOf(await jobs.submit(jobOf(["two"])));
    clock.advance(batchResultsMs);
    expect(listed(jobs, orgId, 1)).toEqual([[jobId], []]);
    await jobs.removeOld();
    expect(listed(jobs, orgId, 1)).toEqual([[jobId]]);
  });
});

describe("time", () => {
  test("an item waits until its workspace may go on", async () => {
    const { jobs, clock } = await open();
    await jobs.submit(jobOf(["one"]));
    jobs.putBack(claimed(jobs), 0, 2_000);
    clock.advance(1_999);
    expect(jobs.claim()).toBeUndefined();
    clock.advance(1);
    expect(claimed(jobs).index).toBe(0);
  });

  test("items that wait expire with their job", async () => {
    const { jobs, clock } = await open();
    await jobs.submit(jobOf(["one", "two", "three"]));
    claimed(jobs);
    clock.advance(batchJobMsMax - 1);
    expect(jobs.expired(10)).toEqual([]);
    clock.advance(1);
    expect(jobs.expired(10)).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(jobs.expired(1)).toMatchObject([{ index: 1 }]);
  });

  test("results are kept for their time, and removed after it", async () => {
    const { jobs, books, clock } = await open();
    const { jobId } = valueOf(await jobs.submit(jobOf(["one"])));
    jobs.end(claimed(jobs), done);
    await books.journal.appliedAll(null);
    clock.advance(batchResultsMs - 1);
    await jobs.removeOld();
    expect(jobs.views.find(orgId, jobId)?.status).toBe("completed");
    clock.advance(1);
    expect(jobs.views.find(orgId, jobId)).toBeUndefined();
    await jobs.removeOld();
    expect(jobs.views.find(orgId, jobId)).toBeUndefined();
    const {
      jobs: rows,
      jobItems,
      jobStates,
      jobResults,
      jobsByEnd,
      jobsByOrg,
      jobsOpen,
    } = books.store.journal;
    const tables = [rows, jobItems, jobStates, jobResults, jobsByEnd, jobsByOrg, jobsOpen];
    expect(tables.map((table) => table.getKeysCount())).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test("however many jobs are over, one look removes all of them", async () => {
    const { jobs, books, clock } = await open();
    const count = 2 * batchRemovalsAtOnce + 1;
    for (let i = 0; i < count; i++) {
      await jobs.submit(jobOf(["one"]));
      jobs.end(claimed(jobs), done);
    }
    await books.journal.appliedAll(null);
    clock.advance(batchResultsMs);
    await jobs.removeOld();
    const { jobs: rows, jobResults, jobsByEnd } = books.store.journal;
    rows.resetReadTxn();
    expect([rows, jobResults, jobsByEnd].map((table) => table.getKeysCount())).toEqual([0, 0, 0]);
  });

  test("a removal that is not wanted any more stops", async () => {
    const { jobs, books, clock } = await open();
    await jobs.submit(jobOf(["one"]));
    jobs.end(claimed(jobs), done);
    await books.journal.appliedAll(null);
    clock.advance(batchResultsMs);
    await jobs.removeOld(() => false);
    books.store.journal.jobs.resetReadTxn();
    expect(books.store.journal.jobs.getKeysCount()).toBe(1);
  });
});

describe("jobs of several gateways", () => {
  test("a gateway does not take up again what it has ended, before that is written", async () => {
    const { store } = await openBooks();
    let mayWrite = Promise.resolve();
    const journal = new Journal({
      writer: {
        write: async (batch) => {
          await mayWrite;
          return store.write(() => {
            applyBatch(store.journal, batch);
            return accept(null);
          });
        },
        apply: () => Promise.resolve(accept(null)),
        close: () => Promise.resolve(),
      },
      lastBatch: 0,
      onFlushFailed: () => undefined,
    });
    const claims = {
      claim: (jobIds: readonly string[]) => Promise.resolve(jobIds),
      onLost: () => undefined,
    };
    const clock = new ManualClock();
    const jobs = new Jobs({ tables: store.journal, journal, clock, claims });
    const { jobId } = valueOf(await jobs.submit(jobOf(["one"])));
    let writes = (): void => undefined;
    mayWrite = new Promise((resolve) => (writes = resolve));
    jobs.end(claimed(jobs), done);
    const taken = jobs.takeUpOthers();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(jobs.claim()).toBeUndefined();
    writes();
    await taken;
    expect(jobs.claim()).toBeUndefined();
    expect(jobs.views.find(orgId, jobId)?.status).toBe("completed");
    await journal.close();
  });

  /** Two gateways with one copy. Each is told that it has the job. */
  async function opened() {
    const books = await openBooks();
    const lost: (() => void)[] = [];
    const claims = {
      claim: (jobIds: readonly string[]) => Promise.resolve(jobIds),
      onLost: (tell: () => void) => void lost.push(tell),
    };
    const { store, journal } = books;
    const options = { tables: store.journal, journal, clock: new ManualClock(), claims };
    const [one, other] = [new Jobs(options), new Jobs(options)];
    const { jobId } = valueOf(await one.submit(jobOf(["a", "b"])));
    await other.takeUpOthers();
    return { one, other, jobId, journal, loses: () => lost[0]?.() };
  }

  test("a job that is taken up while its submission claims it runs once", async () => {
    const { store, journal } = await openBooks();
    const asked: (() => void)[] = [];
    const claims = {
      claim: (jobIds: readonly string[]) =>
        new Promise<readonly string[]>((resolve) => asked.push(() => resolve(jobIds))),
      onLost: () => undefined,
    };
    const options = { tables: store.journal, journal, clock: new ManualClock(), claims };
    const jobs = new Jobs(options);
    const submitted = jobs.submit(jobOf(["one"]));
    await expect.poll(() => asked.length).toBe(1);
    const taken = jobs.takeUpOthers();
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.();
    await taken;
    asked[0]?.();
    await submitted;
    claimed(jobs);
    expect(jobs.claim()).toBeUndefined();
  });

  test("what one has ended stays as it is, whatever the other still writes", async () => {
    const { one, other, jobId, journal } = await opened();
    const item = claimed(one);
    other.end(claimed(other), done);
    await journal.appliedAll(null);
    expect(one.hasStoredEnd(item)).toBe(true);
    one.putBack(item, 1, 0);
    await journal.appliedAll(null);
    expect(one.views.find(orgId, jobId)).toMatchObject({ counts: { completed: 1, queued: 1 } });
    one.end(item, broken);
    one.end(claimed(one), done);
    await journal.appliedAll(null);
    expect(one.views.find(orgId, jobId)).toMatchObject({
      ...{ status: "completed", items: ["completed", "completed"] },
      counts: { completed: 2, failed: 0, queued: 0, running: 0 },
    });
  });

  test("after others have given a gateway up it starts nothing of its jobs before it has them again", async () => {
    const { one, loses } = await opened();
    const runs = claimed(one);
    loses();
    expect(one.claim()).toBeUndefined();
    expect(await one.takeUpOthers()).toBe(false);
    one.putBack(runs, 0, 0);
    expect(one.claim()).toBeUndefined();
    expect(await one.takeUpOthers()).toBe(true);
    expect(claimed(one).isRetry).toBe(false);
  });
});
