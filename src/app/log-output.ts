import { write as writeFile, writeSync } from "node:fs";
import type { DestinationStream } from "pino";
import {
  logFlushMsMax,
  logBufferedCharactersMax,
  logBufferedMsMax,
  logRetryMs,
  logWaitingCharactersMax,
} from "../contract/limits.ts";

/** Where lines go. Both functions take some of the bytes or fail; neither waits for a reader. */
export interface Output {
  readonly write: (
    bytes: Uint8Array,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ) => void;
  /** Returns how many bytes were taken. Throws if none can be. */
  readonly writeSync: (bytes: Uint8Array) => number;
}

/** The process's own output. */
function standardOutput(): Output {
  // This access has a side effect: libuv makes a pipe non-blocking. Otherwise a thread could hang in a write
  // that nobody reads, and the end of the process would wait for it.
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
 * Gathers lines and writes them together, one write at a time. The log is not guaranteed, and nothing waits
 * for it. Lines that the output does not take are dropped and counted: its disk may be full, or its reader
 * may be stuck or gone. pino's own destination keeps all lines, tries for ever in its `flushSync`, and
 * measures all that it holds again with every line (`Buffer.byteLength` in sonic-boom's `write`), which costs
 * 6 µs per line.
 */
export class LogOutput implements DestinationStream {
  readonly #output: Output;
  readonly #failing: () => void;
  #buffered = "";
  #timer: NodeJS.Timeout | null = null;
  /** The bytes that are being written, or wait to be tried again. */
  #sending: Uint8Array | null = null;
  #isUnderWay = false;
  /** The number of lines dropped since the last line that reports dropped ones. */
  #dropped = 0;
  #told = false;

  /** `failing` is called once, at the first line that is dropped. */
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
   * Must be called before the process ends; gives up after `logFlushMsMax`. pino calls it with every fatal
   * line.
   */
  flushSync(): void {
    const untilMs = performance.now() + logFlushMsMax;
    // Another thread writes what is under way, and the process waits for it at its end.
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
