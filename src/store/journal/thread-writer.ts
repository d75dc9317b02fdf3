import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { refuse } from "../../contract/errors.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { JournalBatch } from "./batch.ts";
import type { BatchWriter } from "./journal.ts";
import type { JournalThreadData } from "./journal-thread.ts";

const threadUrl = new URL(`./journal-thread${extname(import.meta.url)}`, import.meta.url);

const failed = refuse("internal_error", "The thread that writes the gateway's store failed.");

/**
 * Writes batches in a thread of its own, one at a time, for a commit would hold the loop for the
 * time of a disk's flush. A thread that ends unasked is replaced with the next batch.
 */
export class ThreadWriter implements BatchWriter {
  readonly #data: JournalThreadData;
  readonly #onFailure: (error: unknown) => void;
  #worker: Worker | null = null;
  #written: ((outcome: Outcome<null>) => void) | null = null;

  constructor(databasePath: string, onFailure: (error: unknown) => void) {
    this.#data = { databasePath, directory: dirname(databasePath) };
    this.#onFailure = onFailure;
  }

  write(batch: JournalBatch): Promise<Outcome<null>> {
    return new Promise((resolve) => {
      this.#written = resolve;
      this.#worker ??= this.#start();
      this.#worker.postMessage(batch);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      worker.postMessage(null);
    });
  }

  #start(): Worker {
    // It needs nothing of the environment, which holds the providers' credentials.
    const worker = new Worker(threadUrl, { workerData: this.#data, env: {} });
    worker.on("message", (outcome: Outcome<null>) => this.#settle(outcome));
    worker.on("error", (error) => this.#onFailure(error));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      this.#settle(failed);
    });
    return worker;
  }

  #settle(outcome: Outcome<null>): void {
    const written = this.#written;
    this.#written = null;
    written?.(outcome);
  }
}
