import { journalApplyBytes } from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Attempts } from "./attempts.ts";
import { FlushWaiters, type JournalMark } from "./flush-waiters.ts";

export interface ApplicationOptions {
  /** `BatchWriter.apply`. */
  readonly apply: () => Promise<Outcome<null>>;
  readonly attempts: Attempts;
  /** How long durable batches wait for more of them. */
  readonly afterMs: number;
}

/**
 * Makes durable batches visible to readers of the store. It applies several batches at once, after
 * some time. It applies them earlier if a caller waits for them or if they have many bytes.
 */
export class Application {
  readonly #options: ApplicationOptions;
  readonly #waiters = new FlushWaiters();
  #durable: JournalMark = 0;
  #applied: JournalMark = 0;
  /** Bytes that are durable but not applied. */
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #applying: Promise<void> | null = null;
  #closed = false;

  constructor(options: ApplicationOptions) {
    this.#options = options;
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#waiters.count;
  }

  /** Everything up to `mark` is durable, `bytes` more than before. */
  durable(mark: JournalMark, bytes: number): void {
    this.#durable = mark;
    this.#bytes += bytes;
    this.#schedule();
  }

  /**
   * Resolves true when readers see everything up to `mark`, false if `waitMsMax` passed before. null: it
   * waits as long as the gateway runs.
   */
  applied(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    if (mark <= this.#applied) return Promise.resolve(true);
    const applied = this.#waiters.wait(mark, waitMsMax);
    this.#schedule();
    return applied;
  }

  /** Applies nothing more; resolves when it has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#applying;
  }

  #schedule(): void {
    if (this.#applying !== null || this.#closed || this.#applied >= this.#durable) return;
    const isUrgent = this.#waiters.count > 0 || this.#bytes >= journalApplyBytes;
    if (isUrgent) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#options.afterMs).unref();
  }

  #start(): void {
    this.#cancelTimer();
    this.#applying = this.#apply();
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #apply(): Promise<void> {
    const { apply, attempts } = this.#options;
    let [mark, bytes] = [0, 0];
    const write = (): Promise<Outcome<null>> => {
      // The next try also applies what became durable in the meantime.
      [mark, bytes] = [this.#durable, this.#bytes];
      return apply();
    };
    return attempts.untilWritten(write, (applied) => {
      this.#applying = null;
      if (applied) {
        this.#applied = mark;
        this.#bytes -= bytes;
        this.#waiters.reached(mark);
      }
      this.#schedule();
    });
  }
}
