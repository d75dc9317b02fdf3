import { deserialize } from "node:v8";
import { refuse } from "../../src/contract/errors.ts";
import { accept, type Outcome } from "../../src/contract/outcome.ts";
import type { BatchFile, LmdbWriter } from "../../src/store/embedded/journal/file-and-thread.ts";
import type { JournalPlace } from "../../src/store/embedded/journal/journal-file.ts";
import { applyBatch, applyBatches, type JournalBatch } from "../../src/store/journal/batch.ts";
import type { MemoryStore, MemoryTables } from "./memory-store.ts";
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How a disk misbehaves; probabilities of each write. */
export interface DiskFaults {
  /** It takes seconds. */
  slow: number;
  /** It stops in the middle, and nothing of it is kept. */
  torn: number;
  /** All of it is written, and the answer says that it is not. */
  lostReply: number;
  /** Nothing can be written until there is room again. */
  full: boolean;
}

/** What a gateway finds when it starts. */
export interface SimulatedDisk {
  /** What LMDB has: what readers see. */
  readonly readers: MemoryStore;
  /** What LMDB would have if it had everything that is durable. */
  readonly durable: MemoryStore;
  /** The records of the journal's file, oldest first: those that LMDB lacks, and some that it has. */
  readonly records: JournalBatch[];
  readonly faults: Readonly<DiskFaults>;
  readonly random: Random;
  readonly time: VirtualTime;
}

const failed = refuse("internal_error", "The simulated disk failed.");
/** Records that the journal's file has room for. */
const recordsMax = 8;

/** One write: late, failing, torn, with a reply that gets lost. */
async function written(
  { faults, random, time }: SimulatedDisk,
  write: (isTorn: boolean) => void,
): Promise<Outcome<null>> {
  const isSlow = random.chance(faults.slow);
  await time.sleep(isSlow ? random.between(100, 5_000) : random.between(0.1, 4), "process");
  if (faults.full) return failed;
  try {
    write(random.chance(faults.torn));
  } catch (error) {
    if (error instanceof Torn) return failed;
    throw error;
  }
  // A crash may come between what is durable and its reply.
  await time.sleep(random.between(0.05, 1), "process");
  return random.chance(faults.lostReply) ? failed : accept(null);
}

/** The journal's file. */
export class SimulatedFile implements BatchFile {
  readonly #disk: SimulatedDisk;
  places: readonly JournalPlace[] = [];

  constructor(disk: SimulatedDisk) {
    this.#disk = disk;
  }

  fits(): boolean {
    return this.places.length < recordsMax;
  }

  release(number: number): void {
    this.places = this.places.filter((place) => place.number > number);
    const { records, random } = this.#disk;
    // Sooner or later another record takes the room.
    while ((records[0]?.number ?? Infinity) <= number && random.chance(0.7)) records.shift();
  }

  async append(number: number, encoded: Buffer): Promise<Outcome<null>> {
    const { durable, records } = this.#disk;
    const outcome = await written(this.#disk, (isTorn) => {
      if (isTorn) throw new Torn();
      // `encodeBatch` made it.
      const batch = deserialize(encoded) as JournalBatch;
      records.push(batch);
      durable.transaction(() => applyBatch(durable.tables, batch));
    });
    if (outcome.ok) this.places = [...this.places, { number, at: number }];
    return outcome;
  }

  close(): void {
    this.places = [];
  }
}

/** LMDB and the thread that writes it. */
export class SimulatedLmdb implements LmdbWriter {
  readonly #disk: SimulatedDisk;

  constructor(disk: SimulatedDisk) {
    this.#disk = disk;
  }

  write(given: JournalBatch): Promise<Outcome<null>> {
    // As it crosses to the writing thread.
    const batch = structuredClone(given);
    const { durable } = this.#disk;
    return written(this.#disk, (isTorn) => {
      this.#transaction([batch], isTorn);
      durable.transaction(() => applyBatch(durable.tables, batch));
    });
  }

  async applyRecords(places: readonly number[]): Promise<Outcome<null>> {
    const { records, random } = this.#disk;
    let left = places.map((at) => {
      const record = records.findLast(({ number }) => number === at);
      if (record === undefined) throw new Error(`record ${at} is gone before LMDB has it`);
      return record;
    });
    while (left.length > 0) {
      const now = left.slice(0, random.integer(1, recordsMax));
      left = left.slice(now.length);
      const outcome = await written(this.#disk, (isTorn) => this.#transaction(now, isTorn));
      if (!outcome.ok) return outcome;
    }
    return accept(null);
  }

  change(): Promise<Outcome<null>> {
    return Promise.resolve(accept(null));
  }

  publish(): Promise<Outcome<null>> {
    return Promise.resolve(accept(null));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #transaction(batches: readonly JournalBatch[], isTorn: boolean): void {
    const { readers } = this.#disk;
    readers.transaction(() => applyBatches(isTorn ? this.#tearing() : readers.tables, batches));
  }

  #tearing(): MemoryTables {
    let changesLeft = this.#disk.random.integer(0, 6);
    const tearing = <R extends object>(rows: R): R =>
      new Proxy(rows, {
        get: (target, name) => {
          if ((name === "putSync" || name === "removeSync") && changesLeft-- <= 0) throw new Torn();
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === "function" ? (member.bind(target) as unknown) : member;
        },
      });
    const { tables } = this.#disk.readers;
    return {
      ...tables,
      meta: tearing(tables.meta),
      events: tearing(tables.events),
      eventTimes: tearing(tables.eventTimes),
      tiles: tearing(tables.tiles),
      holds: tearing(tables.holds),
      balances: tearing(tables.balances),
      ledger: tearing(tables.ledger),
      ledgerKeys: tearing(tables.ledgerKeys),
      ledgerMonths: tearing(tables.ledgerMonths),
      debts: tearing(tables.debts),
      debtsByAge: tearing(tables.debtsByAge),
      refusedEntries: tearing(tables.refusedEntries),
      usageWindows: tearing(tables.usageWindows),
      usageLog: tearing(tables.usageLog),
    };
  }
}

class Torn extends Error {}

interface Replayed {
  /** That LMDB did not have. */
  readonly batches: number;
  /** Whether LMDB then had everything that was durable. */
  readonly isWhole: boolean;
}

/** What a start does before anything else reads LMDB. */
export function replay({ records, readers, durable }: SimulatedDisk): Replayed {
  const applied = readers.reads.lastBatch;
  // A reply that was lost has made two of one.
  const left = new Map(records.map((batch) => [batch.number, batch]));
  const batches = [...left.values()].filter(({ number }) => number > applied);
  readers.transaction(() => applyBatches(readers.tables, batches));
  return { batches: batches.length, isWhole: readers.booksText() === durable.booksText() };
}
