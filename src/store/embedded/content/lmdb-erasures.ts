import { canonicalEvent, type AuditEvent } from "../../../contract/audit.ts";
import { refuse } from "../../../contract/errors.ts";
import { contentReapMs, settlementFlushWaitMsMax } from "../../../contract/limits.ts";
import type { Outcome } from "../../../contract/outcome.ts";
import { systemClock, type Clock } from "../../../runtime/clock.ts";
import type { ErasureRow } from "../../journal/batch.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import type { Erasure, Erasures } from "../../content/erasures.ts";
import type { LmdbContents } from "./lmdb-contents.ts";

export interface LmdbErasuresOptions {
  readonly journal: Pick<Journal, "accepting" | "append" | "applied">;
  readonly contents: Pick<LmdbContents, "erase" | "eraseOrganization" | "newestMs">;
  readonly tables: Pick<LmdbJournalTables, "erasures">;
  readonly onFailure: (error: unknown) => void;
  readonly clock?: Clock;
}

/**
 * Erases readable content and records an event for it, also with a crash in between. The content has a
 * database of its own, so no transaction covers both. Therefore the plan of the erasure is durable
 * before the first row is removed, and one write stores its event and its end. After a crash the store
 * is in one of three states: nothing has happened; or the plan is stored, and the next start carries it
 * out and records the event; or everything is done.
 */
export class LmdbErasures implements Erasures {
  readonly #options: LmdbErasuresOptions;
  readonly #clock: Clock;
  /** Ids of the erasures that this process carries out now. */
  readonly #underWay = new Set<string>();
  readonly #retries: NodeJS.Timeout;
  #resuming: Promise<void> | null = null;
  #stopped = false;

  constructor(options: LmdbErasuresOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#retries = setInterval(() => void this.resume(), contentReapMs).unref();
  }

  async erase({ id, ...about }: Erasure): Promise<Outcome<number>> {
    const { journal, contents } = this.#options;
    if (!journal.accepting) return notBegun;
    const now = this.#clock.wallMs();
    // Content that was written while the clock was ahead has a later time than now.
    const beforeMs = Math.max(now, contents.newestMs(about.orgId) ?? now) + 1;
    const row: ErasureRow = { ...about, beforeMs };
    this.#underWay.add(id);
    try {
      const begun = journal.append([], [{ kind: "erasure", id, erasure: row }]);
      if (!(await journal.applied(begun, settlementFlushWaitMsMax))) {
        journal.append([], [{ kind: "erasureEnd", id }]);
        return notBegun;
      }
      const { orgId, requestId } = about;
      const erased =
        requestId === null
          ? await contents.eraseOrganization(orgId)
          : await contents.erase(orgId, requestId);
      if (!erased.ok) return notFinished;
      await this.#end(id, row, { records: erased.value });
      return erased;
    } finally {
      this.#underWay.delete(id);
    }
  }

  /**
   * Carries out erasures that a crash or a full disk has left: they remove the content that was there
   * at the time of the request, and nothing newer.
   */
  resume(): Promise<void> {
    this.#resuming ??= this.#resume()
      .catch(this.#options.onFailure)
      .finally(() => (this.#resuming = null));
    return this.#resuming;
  }

  /** Call it before the journal is closed. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#retries);
  }

  async #resume(): Promise<void> {
    const { contents, onFailure } = this.#options;
    let behind = "";
    for (let next = this.#behind(behind); next !== undefined; next = this.#behind(behind)) {
      const { key: id, value: row } = next;
      behind = id;
      if (this.#underWay.has(id)) continue;
      const { orgId, requestId, beforeMs } = row;
      const erased =
        requestId === null
          ? await contents.eraseOrganization(orgId, beforeMs)
          : await contents.erase(orgId, requestId);
      if (this.#stopped) return;
      if (!erased.ok) {
        onFailure(new Error(erased.refusal.message));
        return;
      }
      // The number of records that were removed before the crash is not known.
      await this.#end(id, row, { records: null, resumed: true });
    }
  }

  /** Writes the event, and removes the plan. */
  async #end(id: string, row: ErasureRow, outcome: AuditEvent["data"]): Promise<void> {
    const { journal } = this.#options;
    const { orgId, index, byKeyId } = row;
    const event: AuditEvent = {
      eventType: "content.erased",
      message: "Readable content was erased.",
      orgId,
      requestId: id,
      data: { index, ...outcome, by_key_id: byKeyId },
    };
    const line = canonicalEvent(event, new Date(this.#clock.wallMs()).toISOString());
    const ended = journal.append([line], [{ kind: "erasureEnd", id }]);
    await journal.applied(ended, settlementFlushWaitMsMax);
  }

  /** The next erasure after `id` that is not finished. */
  #behind(id: string): { readonly key: string; readonly value: ErasureRow } | undefined {
    const { erasures } = this.#options.tables;
    erasures.resetReadTxn();
    const [next] = erasures.getRange({ start: id, exclusiveStart: true, limit: 1 });
    return next;
  }
}

const notBegun = refuse(
  "internal_error",
  "The gateway's store can't be written at the moment; nothing was erased.",
  { details: { retryable: true }, retryAfterSeconds: 1 },
);
const notFinished = refuse(
  "internal_error",
  "The content could not be erased now; it will be, as soon as it can.",
  { details: { retryable: true } },
);
