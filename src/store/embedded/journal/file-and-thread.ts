import { accept, type Outcome } from "../../../contract/outcome.ts";
import type { JournalBatch, JournalOperation } from "../../journal/batch.ts";
import type { BatchWriter } from "../../journal/journal.ts";
import type { StoreWriter } from "../store.ts";
import type { StoreWrite } from "../store-draft.ts";
import { writesHalted, type WriteHalt } from "../write-halt.ts";
import type { JournalFile } from "./journal-file.ts";
import { encodeBatch } from "./journal-record.ts";
import type { ThreadWriter } from "./thread-writer.ts";

/** The used part of the file. */
export type BatchFile = Pick<JournalFile, "places" | "release" | "fits" | "append" | "close">;

/** The used part of the thread. */
export type LmdbWriter = Pick<
  ThreadWriter,
  "write" | "applyRecords" | "change" | "publish" | "close"
>;

/**
 * Makes batches durable in the journal's file. Later the thread writes them into LMDB
 * (docs/decisions/0047). LMDB gets everything in the order in which it became durable.
 */
export class FileAndThread implements BatchWriter, StoreWriter {
  readonly #file: BatchFile;
  readonly #thread: LmdbWriter;
  readonly #halt: WriteHalt;
  /** The last write into LMDB failed. */
  #behind = false;

  constructor(file: BatchFile, thread: LmdbWriter, halt: WriteHalt) {
    this.#file = file;
    this.#thread = thread;
    this.#halt = halt;
  }

  write(batch: JournalBatch): Promise<Outcome<null>> {
    if (this.#halt.halted) return Promise.resolve(writesHalted);
    const encoded = batch.operations.some(isLarge) ? undefined : encodeBatch(batch);
    // While LMDB can't be written, nothing more is made durable in the file, as if there were no
    // file.
    if (this.#behind || encoded === undefined || !this.#file.fits(encoded)) {
      return this.#writeBehind(batch, encoded);
    }
    return this.#file.append(batch.number, encoded);
  }

  /**
   * Waits until LMDB has everything that was durable before, and then writes the batch: into LMDB
   * if it is not encoded, otherwise into the file.
   */
  async #writeBehind(batch: JournalBatch, encoded: Buffer | undefined): Promise<Outcome<null>> {
    const applied = await this.apply();
    if (!applied.ok) return applied;
    return encoded === undefined
      ? this.#thread.write(batch)
      : this.#file.append(batch.number, encoded);
  }

  async apply(): Promise<Outcome<null>> {
    const { places } = this.#file;
    const newest = places.at(-1);
    if (newest === undefined) return accept(null);
    const applied = await this.#thread.applyRecords(places.map(({ at }) => at));
    this.#behind = !applied.ok;
    if (applied.ok) this.#file.release(newest.number);
    return applied;
  }

  /**
   * Everything that was durable before is written first, so that readers of the log see it in
   * order.
   */
  async change(write: StoreWrite): Promise<Outcome<null>> {
    const applied = await this.apply();
    return applied.ok ? this.#thread.change(write) : applied;
  }

  /** Signs a checkpoint of everything durable, if there is anything new. Errors: as `apply`. */
  async publish(): Promise<Outcome<null>> {
    const applied = await this.apply();
    return applied.ok ? this.#thread.publish() : applied;
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#file.close();
  }
}

/** The most windows of one batch in the file. Each has a kilobyte. */
const windowsMax = 256;

/**
 * Whether an operation is not written to the file. The payloads of a submission have up to 25 MB,
 * so a second copy would only cost time. If many windows change at once, the batch is too long for
 * a record.
 */
function isLarge(operation: JournalOperation): boolean {
  if ("body" in operation) return true;
  return operation.kind === "windows" && operation.change.rows.length > windowsMax;
}
