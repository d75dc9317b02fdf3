import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { refuse } from "../../../contract/errors.ts";
import { workerHeapMegabytesMax, workerYoungMegabytesMax } from "../../../contract/limits.ts";
import type { Outcome } from "../../../contract/outcome.ts";
import type { Store, StoreWriter } from "../store.ts";
import type { StoreWrite } from "../store-draft.ts";
import type { JournalBatch } from "../../journal/batch.ts";
import { journalPathIn } from "./journal-file.ts";
import type { JournalThreadData, JournalThreadMessage } from "./journal-thread.ts";

const threadUrl = new URL(`./journal-thread${extname(import.meta.url)}`, import.meta.url);

const failed = refuse("internal_error", "The thread that writes the gateway's store failed.");

/**
 * Writes into LMDB in a thread of its own, one message at a time, because a commit would block the
 * loop during the disk's flush. If the thread ends unexpectedly, the next message starts a new one.
 */
export class ThreadWriter implements StoreWriter {
  readonly #data: JournalThreadData;
  readonly #onFailure: (error: unknown) => void;
  #worker: Worker | null = null;
  /** The callers that wait for the thread's answers, in the order of the messages. */
  #waiting: ((outcome: Outcome<null>) => void)[] = [];

  constructor(
    { databasePath, halt }: Pick<Store, "databasePath" | "halt">,
    log: JournalThreadData["log"],
    onFailure: (error: unknown) => void,
  ) {
    const directory = dirname(databasePath);
    const journalPath = journalPathIn(directory);
    this.#data = { databasePath, directory, journalPath, halt: halt.buffer, log };
    this.#onFailure = onFailure;
  }

  /**
   * Resolves when the thread runs, so that no caller's wait for a flush includes the thread's start.
   */
  ready(): Promise<Outcome<null>> {
    return this.#ask("ready");
  }

  /**
   * One transaction, durable and visible to readers when this resolves. After an error the store has
   * nothing of the batch, or all of it and only the reply was lost; it may be written again. Never
   * rejects. Errors: `internal_error` if the disk is full or the thread failed.
   */
  write(batch: JournalBatch): Promise<Outcome<null>> {
    return this.#ask(batch);
  }

  /**
   * Writes batches of the journal's file, by their places, oldest first. If it fails, some of them
   * may be written. Otherwise as `write`.
   */
  applyRecords(places: readonly number[]): Promise<Outcome<null>> {
    return this.#ask({ kind: "records", places });
  }

  change(write: StoreWrite): Promise<Outcome<null>> {
    return this.#ask({ kind: "managed", ...write });
  }

  /** Signs a checkpoint of everything written, if there is anything new. Errors: as `write`. */
  publish(): Promise<Outcome<null>> {
    return this.#ask("publish");
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      worker.postMessage("end" satisfies JournalThreadMessage);
    });
  }

  #ask(message: JournalThreadMessage): Promise<Outcome<null>> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker ??= this.#start();
      this.#worker.postMessage(message);
    });
  }

  #start(): Worker {
    // The thread needs no environment variables; they hold the providers' credentials.
    const worker = new Worker(threadUrl, {
      workerData: this.#data,
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: workerHeapMegabytesMax,
        maxYoungGenerationSizeMb: workerYoungMegabytesMax,
      },
    });
    worker.on("message", (outcome: Outcome<null>) => this.#waiting.shift()?.(outcome));
    worker.on("error", (error) => this.#onFailure(error));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resolve of waiting) resolve(failed);
    });
    return worker;
  }
}
