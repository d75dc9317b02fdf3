import { EventEmitter } from "node:events";
import { ledgerSweepMs } from "../../src/contract/limits.ts";
import type { AccountStates } from "../../src/store/ledger/account-states.ts";
import { Spending, type SpendingOperation } from "../../src/store/ledger/spending.ts";
import type { FromThread, ThreadQuestion, ToThread } from "../../src/threads/messages.ts";
import { CatchUp } from "../../src/threads/catch-up.ts";
import { Outbox } from "../../src/threads/outbox.ts";
import type { SharedFlags } from "../../src/threads/shared-flags.ts";
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface SimulatedThreadOptions {
  readonly words: SharedFlags;
  readonly accounts: AccountStates;
  readonly billingUrl: () => string;
  readonly holdsMax: number;
  readonly time: VirtualTime;
  readonly random: Random;
}

/** Remembers what it was given until the main thread has taken that over. */
class WatchedOutbox extends Outbox {
  readonly underWay: SpendingOperation[] = [];

  override append(events: readonly string[], operations: readonly SpendingOperation[]): number {
    this.underWay.push(...operations);
    return super.append(events, operations);
  }
}

/**
 * The money of a proxy thread beside the main one, as `proxy-thread.ts` has it; to the main thread it
 * is the thread itself. Messages are late, but come in the order in which they were sent.
 */
export class SimulatedThread extends EventEmitter {
  readonly spending: Spending;
  readonly #outbox: WatchedOutbox;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #leases: NodeJS.Timeout;
  readonly #catchUp = new CatchUp((message) => this.#say(message));
  readonly #lastDueMs = { to: 0, from: 0 };
  #isOpen = true;

  constructor({ time, random, accounts, ...options }: SimulatedThreadOptions) {
    super();
    this.#time = time;
    this.#random = random;
    const { words, billingUrl, holdsMax } = options;
    this.#outbox = new WatchedOutbox({
      words,
      index: 0,
      threads: 1,
      post: (batch, transferred) => this.#say(batch, transferred),
      takeUses: () => [],
    });
    const journal = this.#outbox;
    this.spending = new Spending({ journal, accounts, clock: time, billingUrl, holdsMax });
    this.#leases = setInterval(() => this.spending.expireLeases(), ledgerSweepMs);
    this.#say({ kind: "ready", listener: 0 });
  }

  /** What it has done to the books and the main thread does not know yet. */
  get underWay(): readonly SpendingOperation[] {
    return this.#outbox.underWay;
  }

  catchUp(): Promise<void> {
    return this.#catchUp.ask();
  }

  /** Behind what its requests have given to the books before. */
  enter(operations: readonly SpendingOperation[]): void {
    this.#outbox.append([], operations);
  }

  postMessage(message: ToThread): void {
    const copy = structuredClone(message);
    this.#later("to", () => this.#hear(copy));
  }

  /** It ends by itself. */
  terminate(): Promise<void> {
    return Promise.resolve();
  }

  #say(message: FromThread, transferred: readonly ArrayBuffer[] = []): void {
    if (!this.#isOpen) return;
    const copy = structuredClone(message, { transfer: [...transferred] });
    this.#later("from", () => {
      this.emit("message", copy);
      if (copy.kind === "batch") this.#outbox.underWay.splice(0, copy.operations.length);
    });
  }

  #later(direction: "to" | "from", run: () => void): void {
    const lateMs = this.#random.chance(0.02) ? this.#random.between(0, 2_000) : 0.05;
    const dueMs = Math.max(this.#lastDueMs[direction], this.#time.monotonicMs() + lateMs);
    this.#lastDueMs[direction] = dueMs;
    this.#time.after(dueMs - this.#time.monotonicMs(), "process", run);
  }

  #hear(message: ToThread): void {
    if (message.kind === "durable") this.#outbox.woken();
    else if (message.kind === "caughtUp") this.#catchUp.answered(message.number);
    else if (message.kind === "question") void this.#answer(message.number, message.question);
  }

  async #answer(number: number, { about }: ThreadQuestion): Promise<void> {
    if (about === "drained") {
      clearInterval(this.#leases);
      await this.#outbox.close();
    } else this.#outbox.post();
    this.#say({ kind: "answer", number, answer: null });
    if (about !== "drained") return;
    this.#isOpen = false;
    this.#later("from", () => this.emit("exit", 0));
  }
}
