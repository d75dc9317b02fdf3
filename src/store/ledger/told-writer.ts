import type { Outcome } from "../../contract/outcome.ts";
import type { JournalBatch } from "../journal/batch.ts";
import type { BatchWriter } from "../journal/journal.ts";

/** The other threads that spend from the books, as these see them. */
export interface SpendingThreads {
  /** Resolves once all is taken over that they had appended before the call. */
  handedOver(): Promise<void>;
  /** A flush takes along all that was taken over; what this returns is called once that is durable. */
  flushBegins(): () => void;
  /** A flush has failed and is tried again, or takes too long and goes on. */
  flushFailed(): void;
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
    // A batch that is tried again takes along no more than it did at first.
    if (batch.number !== this.#number) {
      this.#number = batch.number;
      this.#durable = this.#others()?.flushBegins() ?? (() => undefined);
    }
    const written = await this.#writer.write(batch);
    if (written.ok) this.#durable();
    return written;
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
