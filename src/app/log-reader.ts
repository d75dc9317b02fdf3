import { logWrittenCharactersMax } from "../contract/limits.ts";
import { lineOfPacked } from "../pipeline/record/request-log.ts";
import type { RingReader } from "../runtime/ring.ts";
import type { LogOutput } from "./log-output.ts";

/** Makes lines of the packed ones in a ring, and writes them in their order. */
export class LogReader {
  readonly #ring: RingReader;
  readonly #output: LogOutput;

  constructor(ring: RingReader, output: LogOutput) {
    this.#ring = ring;
    this.#output = output;
  }

  /**
   * Writes what is in the ring; false: the output takes no more now. Lines give their room back once they
   * are written or dropped, so a thread that goes on for one that has died repeats at most what was
   * written together.
   */
  write(): boolean {
    // At once, because the operator is told of the first one.
    this.#output.dropped(this.#ring.takeRefused());
    if (!this.#output.isIdle && !this.#output.goOn()) return false;
    for (;;) {
      this.#ring.release();
      const lines = this.#lines();
      if (lines === "") return true;
      if (!this.#output.write(lines)) return false;
    }
  }

  #lines(): string {
    let lines = "";
    while (lines.length < logWrittenCharactersMax) {
      const packed = this.#ring.next();
      if (packed === null) break;
      lines += lineOfPacked(packed);
    }
    return lines;
  }
}
