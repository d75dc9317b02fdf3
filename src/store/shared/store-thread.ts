import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { refuse } from "../../contract/errors.ts";
import { workerHeapMegabytesMax, workerYoungMegabytesMax } from "../../contract/limits.ts";
import type { MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { StoreWriter } from "../embedded/store.ts";
import type { RowChange, StoreWrite } from "../embedded/store-draft.ts";
import type { JournalBatch } from "../journal/batch.ts";
import type { BatchWriter } from "../journal/journal.ts";
import type { SharedCalls } from "./calls.ts";
import type { Amount, AppliedFlush } from "./functions.ts";
import type {
  FromSharedThread,
  SharedAnswer,
  SharedQuestion,
  SharedThreadData,
  ToSharedThread,
} from "./messages.ts";
import type { LateLimits } from "./known-allowances.ts";

/** What the thread tells without a question. */
export interface StoreNews {
  /** A flush was applied. Called before the flush counts as durable. */
  readonly applied: (reply: AppliedFlush, returns: readonly Amount[]) => void;
  readonly lateGrant: (orgId: string, amount: MicroUsd) => void;
  readonly lateLimits: (late: LateLimits) => void;
  /** The allowances are gone. From here on, operations count on those of this epoch. */
  readonly lost: (epoch: number) => void;
  /** An account was opened, or topped up. */
  readonly account: (orgId: string) => void;
  /** `pool`: such as `money ORG`. Other gateways need what this one does not use of it. */
  readonly recall: (pool: string) => void;
  /** Another gateway has changed the configuration; the copy has it. Resolves when all threads act on it. */
  readonly changed: (rows: readonly RowChange[]) => Promise<void>;
  readonly progress: (done: number, total: number) => void;
  readonly trouble: (why: string) => void;
  /** The process must end. */
  readonly fatal: (why: string) => void;
}

const threadUrl = new URL(`./shared-thread${extname(import.meta.url)}`, import.meta.url);

/** What a `StoreThread` needs of its thread. */
export interface StoreWorker {
  on(event: "message", listener: (message: FromSharedThread) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  once(event: "exit", listener: () => void): unknown;
  postMessage(message: ToSharedThread): void;
}

/** The thread that is connected to the shared store, as the main thread sees it. */
export class StoreThread implements BatchWriter, StoreWriter {
  readonly #worker: StoreWorker;
  readonly #news: StoreNews;
  readonly #waiting = new Map<number, (answer: SharedAnswer) => void>();
  #questions = 0;
  #epoch = 0;
  #ended = false;
  /** The calls of the shared store. */
  readonly calls: SharedCalls;

  constructor(data: SharedThreadData, news: StoreNews, worker: StoreWorker = threadOf(data)) {
    this.#news = news;
    this.#worker = worker;
    this.#worker.on("message", (message: FromSharedThread) => this.#receive(message));
    this.#worker.on("error", (error) => news.trouble(error.message));
    this.#worker.on("exit", () => this.#exited());
    this.calls = new Proxy({} as SharedCalls, {
      get:
        (_, name: keyof SharedCalls) =>
        (...values: readonly unknown[]) =>
          this.#call(name, values),
    });
  }

  /** Resolves when the gateway has joined and its copy is up to date. Errors: `internal_error`. */
  ready(): Promise<Outcome<null>> {
    return this.#outcome({ about: "ready" });
  }

  write(batch: JournalBatch): Promise<Outcome<null>> {
    return this.#outcome({ about: "write", batch, epoch: this.#epoch });
  }

  /** Brings everything that the shared store has into the copy. */
  apply(): Promise<Outcome<null>> {
    return this.#outcome({ about: "catchUp" });
  }

  async change(write: StoreWrite, basedOn: number): Promise<Outcome<null> | "behind"> {
    const answer = await this.#ask({ about: "change", write, basedOn });
    if (answer.kind === "outcome") return answer.outcome;
    return answer.kind === "away" ? away(answer.why) : accept(null);
  }

  /** All threads of this gateway act on these changes. */
  tookIn(seq: number): void {
    this.#post({ kind: "tookIn", seq });
  }

  /** Resolves when every live gateway acts on what this one acts on. Errors: `internal_error`. */
  inForce(): Promise<Outcome<null>> {
    return this.#outcome({ about: "inForce" });
  }

  /** Signs a checkpoint of everything that the shared store has, if there is anything new. */
  publish(): Promise<Outcome<null>> {
    return this.#outcome({ about: "publish" });
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    await this.#ask({ about: "end" });
    await exited;
  }

  async #call(name: keyof SharedCalls, values: readonly unknown[]): Promise<unknown> {
    const answer = await this.#ask({ about: "call", name, values });
    if (answer.kind === "value") return answer.value;
    throw new Error(answer.kind === "away" ? answer.why : "the store's thread is out of step");
  }

  async #outcome(question: SharedQuestion): Promise<Outcome<null>> {
    const answer = await this.#ask(question);
    if (answer.kind === "away") return away(answer.why);
    if (answer.kind === "value" || answer.outcome === "behind") {
      throw new Error("the store's thread is out of step");
    }
    return answer.outcome;
  }

  #ask(question: SharedQuestion): Promise<SharedAnswer> {
    return new Promise((resolve) => {
      const number = (this.#questions += 1);
      this.#waiting.set(number, resolve);
      this.#post({ kind: "question", number, question });
    });
  }

  #post(message: ToSharedThread): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromSharedThread): void {
    const news = this.#news;
    switch (message.kind) {
      case "answer": {
        const { number, answer } = message;
        const resolve = this.#waiting.get(number);
        this.#waiting.delete(number);
        return resolve?.(answer);
      }
      case "applied":
        return news.applied(message.reply, message.returns);
      case "lateGrant":
        return news.lateGrant(message.orgId, message.amount);
      case "lateLimits":
        return news.lateLimits(message.late);
      case "lost":
        this.#epoch = message.epoch;
        return news.lost(message.epoch);
      case "account":
        return news.account(message.orgId);
      case "recall":
        return news.recall(message.pool);
      case "changed": {
        const { seq, rows } = message;
        // Only then may the author of the change be told that it is in force.
        void news.changed(rows).then(() => this.tookIn(seq));
        return;
      }
      case "progress":
        return news.progress(message.done, message.total);
      case "trouble":
        return news.trouble(message.why);
      case "fatal":
        return news.fatal(message.why);
    }
  }

  /** Without the thread nothing can be written, and the copy is not current. */
  #exited(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of waiting) resolve({ kind: "away", why: "its thread has ended" });
    if (!this.#ended) this.#news.fatal("The thread of the shared store has ended.");
  }
}

function threadOf(data: SharedThreadData): Worker {
  // The thread needs no environment variables; they hold the providers' credentials.
  return new Worker(threadUrl, {
    workerData: data,
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: workerHeapMegabytesMax,
      maxYoungGenerationSizeMb: workerYoungMegabytesMax,
    },
  });
}

function away(why: string): Outcome<never> {
  return refuse("internal_error", `The gateway's shared store can't be reached: ${why}`);
}
