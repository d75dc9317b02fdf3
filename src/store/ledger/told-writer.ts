import type { Outcome } from "../../contract/outcome.ts";
import type { JournalBatch } from "../journal/batch.ts";
import type { BatchWriter } from "../journal/journal.ts";

/** The other threads that spend from the books, as the writing thread sees them. */
export interface SpendingThreads {
  /** Resolves once everything is taken over that they had appended before the call. */
  handedOver(): Promise<void>;
  /**
   * A flush begins and includes everything taken over so far; call the returned function once it is
   * durable.
   */
  flushBegins(): () => void;
  /** A write has failed and will be tried again, or it takes too long and goes on. */
  flushFailed(): void;
  /** Everything is written again. */
  flushResumed(): void;
}

/** Tells other threads of flushes. */
export class ToldWriter implements BatchWriter {
  readonly #writer: BatchWriter;
  readonly #others: () => SpendingThreads | null;
  #number = -1;
  #durable: () => void = () => undefined;

  constructor(writer: BatchWriter, others: () => SpendingThreads | null) {
    this.#writer = writer;
    this.#others = others;
  }

  async write(batch: JournalBatch): Promise<Outcome<null>> {
    // A batch that is tried again contains no more than the first try.
    if (batch.number !== this.#number) {
      this.#number = batch.number;
      this.#durable = this.#others()?.flushBegins() ?? (() => undefined);
    }
    const written = await this.#writer.write(batch);
    if (written.ok) this.#durable();
    return written;
  }

  apply(): Promise<Outcome<null>> {
    return this.#writer.apply();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
