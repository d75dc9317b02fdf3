import { writeSync } from "node:fs";

/**
 * The destination of lines. Returns how many of the bytes it took, or throws if it can take none.
 */
export type Output = (bytes: Uint8Array) => number;

/** The process's own output. `LogQueue` has made sure that a pipe which nobody reads does not block. */
const standardOutput: Output = (bytes) => writeSync(1, bytes);

function tellOnStandardError(): void {
  const what = "weir: standard output does not take the log; lines are dropped until it does\n";
  try {
    writeSync(2, what);
  } catch {
    // Nobody can read a report of this error.
  }
}

/**
 * Writes lines to the process's output. The log is not guaranteed. Lines that the output refuses, because
 * its disk is full or its reader is gone, are dropped and counted. If a reader stops reading, `write`
 * returns false and keeps the rest.
 */
export class LogOutput {
  readonly #output: Output;
  readonly #failing: () => void;
  /** Bytes that the output has not taken yet. */
  #rest: Uint8Array = nothing;
  /** The lines dropped since the last line that reports dropped ones. */
  #dropped = 0;
  #told = false;

  /** `failing` is called once, at the first line that is dropped. */
  constructor(output = standardOutput, failing = tellOnStandardError) {
    this.#output = output;
    this.#failing = failing;
  }

  /** True if the output has taken all bytes. */
  get isIdle(): boolean {
    return this.#rest.length === 0;
  }

  /**
   * Writes lines; the output must be idle. False: the output takes no more now; `goOn` tries again.
   */
  write(lines: string): boolean {
    if (!this.isIdle) throw new Error("the lines before are not written");
    this.#rest = Buffer.from(lines);
    return this.goOn();
  }

  /** As `write`, with the remaining bytes. */
  goOn(): boolean {
    try {
      this.#writeRest();
      if (this.#dropped > 0) {
        this.#rest = this.#takeDropped();
        this.#writeRest();
      }
      return true;
    } catch (error) {
      if (isAgain(error)) return false;
      this.dropped(linesIn(this.#rest));
      this.#rest = nothing;
      return true;
    }
  }

  /** Counts lost lines. A line reports their number once lines are written again. */
  dropped(lines: number): void {
    if (lines === 0) return;
    this.#dropped += lines;
    if (this.#told) return;
    this.#told = true;
    this.#failing();
  }

  /** Drops the remaining bytes. */
  dropRest(): void {
    this.dropped(linesIn(this.#rest));
    this.#rest = nothing;
  }

  #writeRest(): void {
    while (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#output(this.#rest));
  }

  #takeDropped(): Uint8Array {
    const told = { level: 40, time: Date.now(), dropped: this.#dropped, msg: "log lines dropped" };
    this.#dropped = 0;
    return Buffer.from(`${JSON.stringify(told)}\n`);
  }
}

const nothing = new Uint8Array();
const lineFeed = 0x0a;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}

function isAgain(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
