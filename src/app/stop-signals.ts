import { signalRepeatMsMax } from "../contract/limits.ts";

/** What a signal asks the process to do: drain, end at once, or nothing new. */
export type Wish = "drain" | "end" | null;

/**
 * Reads what is wanted from the signals. One wish often comes as two signals: Ctrl-C and service managers
 * signal the whole process group, and `npm start` passes its signal on. So a signal that follows the first
 * within `signalRepeatMsMax` is the same wish. A later SIGTERM or SIGINT means: end at once. A SIGHUP never
 * does, because a closed terminal and its shell send one each.
 */
export class StopSignals {
  readonly #nowMs: () => number;
  #firstMs: number | null = null;

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Must be called once for each signal. */
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
