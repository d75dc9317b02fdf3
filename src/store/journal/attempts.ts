import type { Outcome } from "../../contract/outcome.ts";

export interface AttemptsOptions {
  /** A write that takes longer counts as failing until it ends. */
  readonly msMax: number;
  readonly retryMs: number;
  /** Called when writes begin to fail, or one takes too long. */
  readonly onFailed: (reason: string) => void;
  /** Called when all failed writes have finally succeeded. */
  readonly onResumed: () => void;
}

/**
 * Repeats each of the journal's writes until it succeeds. While one fails, `failing` is true for
 * all.
 */
export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #failing = new Set<symbol>();
  #closed = false;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** A write has failed and is tried again, or takes too long. */
  get failing(): boolean {
    return this.#failing.size > 0;
  }

  /**
   * Tries until the write succeeds, and then calls `ended` with true. If `close` was called before and
   * the write fails, it calls `ended` with false. Resolves after that. Nearly all first tries succeed,
   * and they cost one promise.
   */
  untilWritten(
    write: () => Promise<Outcome<null>>,
    ended: (written: boolean) => void,
  ): Promise<void> {
    const { msMax } = this.#options;
    const attempt = Symbol();
    // A disk that hangs reports no error; its writes never end.
    const late = setTimeout(() => this.#fails(attempt, tooLate(msMax)), msMax).unref();
    const over = (written: Outcome<null>): void => {
      clearTimeout(late);
      if (written.ok && this.#failing.delete(attempt) && !this.failing) this.#options.onResumed();
      ended(written.ok);
    };
    return write().then((written) =>
      written.ok ? over(written) : this.#again(attempt, write, written).then(over),
    );
  }

  /** Repeats a failed write; returns the result of the last try. */
  async #again(
    attempt: symbol,
    write: () => Promise<Outcome<null>>,
    failed: Outcome<null>,
  ): Promise<Outcome<null>> {
    let written = failed;
    while (!written.ok) {
      this.#fails(attempt, written.refusal.message);
      if (this.#closed) break;
      await new Promise((resolve) => setTimeout(resolve, this.#options.retryMs).unref());
      written = await write();
    }
    return written;
  }

  /** A write that fails from now on is not tried again. */
  close(): void {
    this.#closed = true;
  }

  #fails(attempt: symbol, reason: string): void {
    if (!this.failing) this.#options.onFailed(reason);
    this.#failing.add(attempt);
  }
}

function tooLate(ms: number): string {
  return `A write to the disk has taken more than ${ms} ms, and goes on.`;
}
