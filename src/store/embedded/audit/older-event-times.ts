import { auditTimesStepEvents } from "../../../contract/limits.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import { createdAtOf } from "../../audit/event-line.ts";
import { noteEventTimes } from "../../audit/event-times.ts";

type Tables = Pick<LmdbJournalTables, "events" | "eventTimes" | "meta">;

/**
 * Indexes the times of events that an older release wrote, the newest first and a few in each step,
 * while new events are written. A filter of times reads every block that is not indexed yet.
 */
export class OlderEventTimes {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Every event's time is noted. */
  get isOver(): boolean {
    return this.#from === 0;
  }

  /** To be called inside a transaction. */
  step(): void {
    const { events, eventTimes, meta } = this.#tables;
    const end = this.#from;
    const rows: string[][] = [];
    let first = end;
    const range = { start: end - 1, reverse: true, limit: auditTimesStepEvents };
    for (const { key, value } of events.getRange(range)) {
      const lines = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        .toString()
        .split("\n");
      rows.push(lines.slice(0, first - key).map(createdAtOf));
      first = key;
      if (end - first >= auditTimesStepEvents) break;
    }
    noteEventTimes(eventTimes, first, rows.reverse().flat());
    if (first > 0) meta.putSync("eventTimesFrom", first);
    else meta.removeSync("eventTimesFrom");
  }

  get #from(): number {
    return this.#tables.meta.get("eventTimesFrom") ?? 0;
  }
}
