import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { refuse } from "../../../contract/errors.ts";
import { workerHeapMegabytesMax, workerYoungMegabytesMax } from "../../../contract/limits.ts";
import type { ContentAnswer, ContentMessage, ContentThreadData } from "./content-thread.ts";

const threadUrl = new URL(`./content-thread${extname(import.meta.url)}`, import.meta.url);
const failed = refuse("internal_error", "The thread that keeps readable content failed.");

/**
 * Writes and removes content in a thread of its own, one message after the other. It starts with the
 * first message; if it ends unexpectedly, the next message starts a new one.
 */
export class ContentWriter {
  readonly #data: ContentThreadData;
  readonly #onFailure: (error: unknown) => void;
  #worker: Worker | null = null;
  /** The callers that wait for the thread's answers, in the order of the messages. */
  #waiting: ((answer: ContentAnswer) => void)[] = [];

  constructor(data: ContentThreadData, onFailure: (error: unknown) => void) {
    this.#data = data;
    this.#onFailure = onFailure;
  }

  /** Errors: `internal_error` if the disk is full or the thread died. */
  ask(message: ContentMessage): Promise<ContentAnswer> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker ??= this.#start();
      this.#worker.postMessage(message);
    });
  }

  /** Resolves when all requested work is done and the thread has ended. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      worker.postMessage({ kind: "end" } satisfies ContentMessage);
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
    worker.on("message", (answer: ContentAnswer) => this.#waiting.shift()?.(answer));
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
