import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  logFlushMsMax,
  logRetryMs,
  logRingBytes,
  workerHeapMegabytesMax,
  workerYoungMegabytesMax,
} from "../contract/limits.ts";
import { packedLine } from "../contract/packed-log.ts";
import type { LogStream } from "../pipeline/record/log-stream.ts";
import { ringBuffer, RingWriter } from "../runtime/ring.ts";

/** Next to this file, which is TypeScript in `src` and JavaScript in `dist`. */
const threadUrl = new URL(`./log-thread${extname(import.meta.url)}`, import.meta.url);

/**
 * pino's destination: lines go into a ring, in their order, and a thread writes them to standard output.
 * The log is not guaranteed, and nothing waits for it. Lines that do not fit into a full ring are
 * counted, and the thread reports their number. pino's own destination keeps all lines, tries forever in
 * its `flushSync`, and measures all its waiting text again with every line (`Buffer.byteLength` in
 * sonic-boom's `write`), which costs 6 µs per line.
 */
export class LogQueue implements LogStream {
  readonly #buffer = ringBuffer(logRingBytes);
  readonly #ring = new RingWriter(this.#buffer);

  constructor() {
    // This access has a side effect: libuv makes a pipe non-blocking. Otherwise the thread could hang in a
    // write that nobody reads, and the end of the process would wait for it.
    process.stdout.on("error", () => undefined);
    this.#start();
  }

  write(line: string): void {
    this.#ring.write(packedLine(line));
  }

  writePacked(packed: Buffer): void {
    this.#ring.write(packed);
  }

  /**
   * Must be called before the process ends; gives up a little after `logFlushMsMax`. pino calls it with
   * every fatal line.
   */
  flushSync(): void {
    this.#ring.flush(2 * logFlushMsMax);
  }

  #start(): void {
    // The thread needs no environment variables; they hold the providers' credentials.
    const worker = new Worker(threadUrl, {
      workerData: this.#buffer,
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: workerHeapMegabytesMax,
        maxYoungGenerationSizeMb: workerYoungMegabytesMax,
      },
    });
    worker.unref();
    worker.on("error", (error) =>
      console.error("weir: the thread that writes the log failed", error),
    );
    // The lines in the ring are not lost with the thread.
    worker.on("exit", () => setTimeout(() => this.#start(), logRetryMs).unref());
  }
}
