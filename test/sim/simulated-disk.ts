import { refuse } from "../../src/contract/errors.ts";
import { accept, type Outcome } from "../../src/contract/outcome.ts";
import { applyBatch, type JournalBatch } from "../../src/store/journal/batch.ts";
import type { BatchWriter } from "../../src/store/journal/journal.ts";
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

const failed = refuse("internal_error", "The simulated disk failed.");

/** The journal's writer over a store in memory: late, failing, torn, with replies that get lost. */
export class SimulatedDisk implements BatchWriter {
  readonly #store: MemoryStore;
  readonly #faults: Readonly<DiskFaults>;
  readonly #random: Random;
  readonly #time: VirtualTime;

  constructor(store: MemoryStore, faults: Readonly<DiskFaults>, random: Random, time: VirtualTime) {
    this.#store = store;
    this.#faults = faults;
    this.#random = random;
    this.#time = time;
  }

  async write(given: JournalBatch): Promise<Outcome<null>> {
    // As it crosses to the writing thread.
    const batch = structuredClone(given);
    const random = this.#random;
    const isSlow = random.chance(this.#faults.slow);
    await this.#time.sleep(isSlow ? random.between(100, 5_000) : random.between(0.1, 4), "process");
    if (this.#faults.full) return failed;
    const isTorn = random.chance(this.#faults.torn);
    try {
      this.#store.transaction(() => {
        applyBatch(isTorn ? this.#tearing() : this.#store.tables, batch);
      });
    } catch (error) {
      if (error instanceof Torn) return failed;
      throw error;
    }
    // A crash may come between what is durable and its reply.
    await this.#time.sleep(random.between(0.05, 1), "process");
    return random.chance(this.#faults.lostReply) ? failed : accept(null);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #tearing(): MemoryTables {
    let changesLeft = this.#random.integer(0, 6);
    const tearing = <R extends object>(rows: R): R =>
      new Proxy(rows, {
        get: (target, name) => {
          if ((name === "putSync" || name === "removeSync") && changesLeft-- <= 0) throw new Torn();
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === "function" ? (member.bind(target) as unknown) : member;
        },
      });
    const { tables } = this.#store;
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
