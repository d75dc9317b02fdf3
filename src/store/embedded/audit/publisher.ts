import { canonicalEvent } from "../../../contract/audit.ts";
import { checkpointEventsMax } from "../../../contract/limits.ts";
import { appendEvents } from "../../journal/batch.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import { signCheckpoint } from "../../audit/checkpoint.ts";
import { rootOf } from "../../audit/merkle-tree.ts";
import type { NoteSigner } from "../../audit/signed-note.ts";

/**
 * Publishes checkpoints of flushed events only (design: Store), because a crash can still remove
 * events that are not flushed. Runs in the journal's thread, between its transactions.
 */
export class CheckpointPublisher {
  readonly #tables: LmdbJournalTables;
  readonly #signer: NoteSigner;

  constructor(tables: LmdbJournalTables, signer: NoteSigner) {
    this.#tables = tables;
    this.#signer = signer;
  }

  /** Whether so many events have no checkpoint that one is due. */
  get isDue(): boolean {
    return this.#size - this.#covered >= checkpointEventsMax;
  }

  /** Whether there is an event without a checkpoint, not counting the last checkpoint's own event. */
  get hasNews(): boolean {
    const covered = this.#covered;
    return this.#size > covered + (covered > 0 ? 1 : 0);
  }

  /** Whether there is an event that no checkpoint covers. */
  get isBehind(): boolean {
    return this.#size > this.#covered;
  }

  /** Signs everything that is stored; call it inside a transaction, when all events are flushed. */
  publish(wallMs: number): void {
    appendEvents(this.#tables, [this.sign(wallMs)]);
  }

  /** The same, but returns the event that tells of it instead of writing that. */
  sign(wallMs: number): string {
    const size = this.#size;
    const root = rootOf(this.#tables.tiles, size);
    this.#tables.checkpoints.putSync(size, signCheckpoint(this.#signer, size, root));
    const event = {
      eventType: "checkpoint.published",
      message: "A checkpoint of the audit log was signed.",
      orgId: null,
      requestId: null,
      data: { size, root: root.toString("base64") },
    } as const;
    return canonicalEvent(event, new Date(wallMs).toISOString());
  }

  /**
   * The number of events that the stored last checkpoint covers; a signed one may have been rolled
   * back.
   */
  get #covered(): number {
    const [last = 0] = this.#tables.checkpoints.getKeys({ reverse: true, limit: 1 });
    return last;
  }

  get #size(): number {
    return this.#tables.meta.get("eventCount") ?? 0;
  }
}
