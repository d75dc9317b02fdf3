// `npm run bench:journal`: the cost of making the records of paid requests durable, with an LMDB
// transaction for each flush, and with a record in the journal's file that is written into LMDB
// later.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { journalAppliedAtOnceBytes } from "../src/contract/limits.ts";
import { microUsd } from "../src/contract/money.ts";
import { accept } from "../src/contract/outcome.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { abortableAndFlushed, openRoot } from "../src/store/embedded/files/open-root.ts";
import { JournalFile, journalPathIn } from "../src/store/embedded/journal/journal-file.ts";
import { encodeBatch } from "../src/store/embedded/journal/journal-record.ts";
import { openJournalTables } from "../src/store/embedded/journal/journal-tables.ts";
import { JournalLedger } from "../src/store/embedded/ledger/journal-ledger.ts";
import { lmdbLedgerReads } from "../src/store/embedded/ledger/ledger-reads.ts";
import { applyBatches, type JournalBatch } from "../src/store/journal/batch.ts";
import { Journal } from "../src/store/journal/journal.ts";
import { SharedAccounts } from "../src/store/ledger/shared-accounts.ts";
import { accepted } from "./micro/accepted.ts";
import { eventOf, record } from "./micro/audit.ts";
import { median } from "./report/statistics.ts";

const organizations = Array.from({ length: 10 }, (_, i) => `org_${i}`);
const rounds = 3;

/** Makes the batches of paid requests without writing them. */
const paidBy = { apiKeyId: "key_bench", team: null };

class Requests {
  readonly #journal: Journal;
  readonly #ledger: JournalLedger;
  readonly #batches: JournalBatch[] = [];
  readonly #event = eventOf(record(0), 0);
  #made = 0;

  constructor(root: RootDatabase) {
    const take = (batch: JournalBatch) => {
      // A clone, because the thread also gets clones of the loop's objects.
      this.#batches.push(structuredClone(batch));
      return Promise.resolve(accept(null));
    };
    const writer = {
      write: take,
      apply: () => Promise.resolve(accept(null)),
      close: () => Promise.resolve(),
    };
    this.#journal = new Journal({ writer, lastBatch: 0, onFlushFailed: console.error });
    this.#ledger = new JournalLedger({
      journal: this.#journal,
      reads: lmdbLedgerReads(openJournalTables(root)),
      accounts: new SharedAccounts(),
      clock: systemClock,
      billingUrl: () => "",
      onFailure: console.error,
    });
  }

  /** Batches that give the organizations money. */
  async open(): Promise<readonly JournalBatch[]> {
    for (const orgId of organizations) {
      const topUp = { orgId, amount: microUsd(10n ** 12n), idempotencyKey: "bench" } as const;
      // The top-up reads its answer from LMDB, which does not have it yet.
      await this.#ledger.topUp({ ...topUp, type: "top_up" });
    }
    return this.#batches.splice(0);
  }

  async batches(flushes: number, perFlush: number): Promise<readonly JournalBatch[]> {
    for (let flush = 0; flush < flushes; flush += 1) {
      for (let i = 0; i < perFlush; i += 1) this.#request();
      await this.#journal.flushedAll(null);
    }
    return this.#batches.splice(0);
  }

  close(): Promise<void> {
    this.#ledger.close();
    return this.#journal.close();
  }

  #request(): void {
    const number = (this.#made += 1);
    const requestId = `5PDGgK17Tnm8vMUUt5GfuQ-${number}`;
    const orgId = organizations[number % organizations.length] ?? "";
    const estimate = microUsd(20_000n);
    const hold = accepted(
      this.#ledger.hold({ requestId, orgId, by: paidBy, estimate, isLive: () => true }),
    );
    const usage = { uncachedInput: 812, outputText: 96 };
    this.#ledger.settle(hold, { cost: microUsd(31n), catalogVersion: "bench", usage }, []);
    this.#ledger.recordRequest({ ...this.#event, requestId, orgId });
  }
}

interface Cost {
  /** CPU time of this process, in µs. */
  readonly cpuPerRequest: number;
  /** Elapsed time in µs. */
  readonly perFlush: number;
}

async function costOf(flushes: number, perFlush: number, work: () => Promise<void>): Promise<Cost> {
  const [cpuBefore, beganMs] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    cpuPerRequest: (user + system) / flushes / perFlush,
    perFlush: ((performance.now() - beganMs) * 1_000) / flushes,
  };
}

const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const root = openRoot(join(directory, "weir.mdb"));
const tables = openJournalTables(root);
const file = new JournalFile(journalPathIn(directory));
const requests = new Requests(root);
let applied = 0;

async function commit(batches: readonly JournalBatch[]): Promise<void> {
  const numbered = batches.map((batch, i) => ({ ...batch, number: applied + 1 + i }));
  root.transactionSync(() => applyBatches(tables, numbered), abortableAndFlushed);
  await root.flushed;
  applied += batches.length;
}

async function append(batch: JournalBatch): Promise<void> {
  const encoded = encodeBatch(batch);
  if (encoded === undefined) throw new Error("a batch is too long");
  if (!file.fits(encoded)) file.release(Infinity);
  accepted(await file.append(batch.number, encoded));
}

/** Commits as many batches at once as one transaction applies of their records. */
async function commitTogether(batches: readonly JournalBatch[], perFlush: number): Promise<void> {
  const recordBytes = 4_096 * Math.ceil(perFlush / 3);
  const together = Math.max(1, Math.floor(journalAppliedAtOnceBytes / recordBytes));
  for (let at = 0; at < batches.length; at += together) {
    await commit(batches.slice(at, at + together));
  }
}

try {
  await commit(await requests.open());
  console.log("requests a flush | LMDB each: µs CPU a request, µs a flush | file | LMDB behind it");
  for (const [perFlush, flushes] of [
    [1, 500],
    [2, 400],
    [7, 200],
    [50, 40],
  ] as const) {
    const costs: Cost[][] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      const each = await requests.batches(flushes, perFlush);
      const behind = await requests.batches(flushes, perFlush);
      const ways = [
        async () => {
          for (const batch of each) await commit([batch]);
        },
        async () => {
          for (const batch of behind) await append(batch);
        },
        () => commitTogether(behind, perFlush),
      ];
      for (const [i, way] of ways.entries()) costs[i]?.push(await costOf(flushes, perFlush, way));
    }
    const cells = costs.map((of) => {
      const cpu = median(of.map(({ cpuPerRequest }) => cpuPerRequest));
      return `${cpu.toFixed(0)}, ${median(of.map((cost) => cost.perFlush)).toFixed(0)}`;
    });
    console.log([perFlush, ...cells].join(" | "));
  }
} finally {
  await requests.close();
  file.close();
  await root.close();
  rmSync(directory, { recursive: true });
}
