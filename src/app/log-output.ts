import { write as writeFile, writeSync } from "node:fs";
import type { DestinationStream } from "pino";
import {
  logFlushMsMax,
  logBufferedCharactersMax,
  logBufferedMsMax,
  logRetryMs,
  logWaitingCharactersMax,
} from "../contract/limits.ts";

/** Where lines go. Both take some of the bytes or fail; neither waits for a reader. */
export interface Output {
  readonly write: (
    bytes: Uint8Array,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ) => void;
  /** Returns how many were taken. Throws where none can be. */
  readonly writeSync: (bytes: Uint8Array) => number;
}

/** The process's own output. */
function standardOutput(): Output {
  // Looked at for its side effect: libuv makes a pipe non-blocking, so that no thread ever hangs in a
  // write that nobody reads, for which the end of the process would wait.
  process.stdout.on("error", () => undefined);
  return {
    write: (bytes, done) => writeFile(1, bytes, done),
    writeSync: (bytes) => writeSync(1, bytes),
  };
}

function tellOnStandardError(): void {
  console.error("weir: standard output does not take the log; lines are dropped until it does");
}

/**
 * Gathers lines and writes them together, one write at a time. The log is not promised, and nothing waits
 * for it: what the output does not take, for its disk is full or its reader stands still or has left,
 * is dropped and counted. pino's own destination keeps all of it, tries for ever in its `flushSync`, and
 * measures what it holds again with every line (`Buffer.byteLength` in sonic-boom's `write`), which costs
 * 6 µs a line.
 */
export class LogOutput implements DestinationStream {
  readonly #output: Output;
  readonly #failing: () => void;
  #buffered = "";
  #timer: NodeJS.Timeout | null = null;
  /** What is being written, or waits to be tried again. */
  #sending: Uint8Array | null = null;
  #isUnderWay = false;
  /** Lines that were dropped since the last one that tells of them. */
  #dropped = 0;
  #told = false;

  /** `failing` is called once, with the first line that is dropped. */
  constructor(output = standardOutput(), failing = tellOnStandardError) {
    this.#output = output;
    this.#failing = failing;
  }

  write(line: string): void {
    if (this.#buffered.length + line.length > logWaitingCharactersMax) {
      this.#drop(1);
      return;
    }
    this.#buffered += line;
    this.#schedule();
  }

  /**
   * To be called before the process ends; gives up after `logFlushMsMax`. pino calls it with every fatal
   * line.
   */
  flushSync(): void {
    const untilMs = performance.now() + logFlushMsMax;
    // What is under way is written by another thread, which the process's end waits for.
    if (this.#sending !== null && !this.#isUnderWay) {
      this.#writeSync(this.#sending, untilMs);
      this.#sending = null;
    }
    if (this.#buffered !== "") this.#writeSync(this.#takeBuffered(), untilMs);
  }

  #schedule(): void {
    if (this.#buffered.length >= logBufferedCharactersMax) this.#send();
    else if (this.#buffered !== "")
      this.#timer ??= setTimeout(() => this.#send(), logBufferedMsMax).unref();
  }

  #send(): void {
    this.#cancelTimer();
    if (this.#sending !== null || this.#buffered === "") return;
    this.#sending = this.#takeBuffered();
    this.#writeOn();
  }

  #takeBuffered(): Uint8Array {
    this.#cancelTimer();
    const bytes = Buffer.from(this.#buffered);
    this.#buffered = "";
    return bytes;
  }

  #writeOn(): void {
    if (this.#sending === null || this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#output.write(this.#sending, (error, written) => {
      this.#isUnderWay = false;
      this.#wrote(error, written);
    });
  }

  #wrote(error: NodeJS.ErrnoException | null, written: number): void {
    if (this.#sending === null) return;
    if (error?.code === "EAGAIN") {
      setTimeout(() => this.#writeOn(), logRetryMs).unref();
      return;
    }
    if (error === null) this.#tellOfDropped();
    else this.#drop(linesIn(this.#sending));
    const rest = this.#sending.subarray(written);
    this.#sending = error === null && rest.length > 0 ? rest : null;
    if (this.#sending === null) this.#schedule();
    else this.#writeOn();
  }

  #writeSync(bytes: Uint8Array, untilMs: number): void {
    let rest = bytes;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(this.#output.writeSync(rest));
      } catch (error) {
        if (!isAgain(error) || performance.now() > untilMs) return this.#drop(linesIn(rest));
        Atomics.wait(sleeper, 0, 0, logFlushTryMs);
      }
    }
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    if (this.#told) return;
    this.#told = true;
    this.#failing();
  }

  #tellOfDropped(): void {
    if (this.#dropped === 0) return;
    const told = { level: 40, time: Date.now(), dropped: this.#dropped, msg: "log lines dropped" };
    this.#dropped = 0;
    this.#buffered += `${JSON.stringify(told)}\n`;
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

const logFlushTryMs = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const lineFeed = 0x0a;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}

function isAgain(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
