import { logWrittenCharactersMax } from "../contract/limits.ts";
import { lineOfPacked } from "../pipeline/record/request-log.ts";
import type { RingReader } from "../runtime/ring.ts";
import type { LogOutput } from "./log-output.ts";

/** Makes text lines from the packed lines in a ring, and writes them in their order. */
export class LogReader {
  readonly #ring: RingReader;
  readonly #output: LogOutput;

  constructor(ring: RingReader, output: LogOutput) {
    this.#ring = ring;
    this.#output = output;
  }

  /**
   * Writes the lines in the ring; false: the output takes no more now. Lines keep their room until they
   * are written or dropped. So a thread that replaces a dead one repeats at most the lines of one write.
   */
  write(): boolean {
    // Reports dropped lines at once, because the operator gets a message for the first one.
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
