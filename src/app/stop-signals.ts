import { signalRepeatMsMax } from "../contract/limits.ts";

/** What a signal asks of the process: to drain, to end at once, or nothing that it has not been asked. */
export type Wish = "drain" | "end" | null;

/**
 * Reads what is wanted out of the signals that come. One wish often comes as two signals: Ctrl-C, and a
 * service manager, signal the whole process group, and `npm start` in it passes on what it got. So one
 * that follows the first within `signalRepeatMsMax` is the same wish; a later SIGTERM or SIGINT is
 * impatience. A SIGHUP never is: a terminal that is closed and the shell in it send one each.
 */
export class StopSignals {
  readonly #nowMs: () => number;
  #firstMs: number | null = null;

  /** `nowMs`: a clock that is never set. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** To be called once for each signal. */
  read(signal: NodeJS.Signals): Wish {
    const nowMs = this.#nowMs();
    if (this.#firstMs === null) {
      this.#firstMs = nowMs;
      return "drain";
    }
    const isSameWish = signal === "SIGHUP" || nowMs - this.#firstMs <= signalRepeatMsMax;
    return isSameWish ? null : "end";
  }
}
