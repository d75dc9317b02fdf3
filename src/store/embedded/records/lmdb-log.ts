import type { LogSource, LoggedLine } from "../../read-model/log-source.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";

/** The audit log of the store, as the read model follows it in a thread of its own. */
export class LmdbLog implements LogSource {
  readonly #tables: Pick<LmdbJournalTables, "events" | "meta">;
  /** The row that was read last: neighbours are asked for one after the other. */
  #row: { readonly first: number; readonly lines: readonly string[] } | null = null;

  constructor(tables: Pick<LmdbJournalTables, "events" | "meta">) {
    this.#tables = tables;
  }

  get size(): number {
    // lmdb keeps a read transaction for a turn, and would not see what the journal wrote meanwhile.
    this.#tables.events.resetReadTxn();
    return this.#tables.meta.get("eventCount") ?? 0;
  }

  read(first: number, most: number): readonly LoggedLine[] {
    const found: LoggedLine[] = [];
    for (let next = first; found.length < most; next = first + found.length) {
      const row = this.#rowWith(next);
      if (row === null) break;
      for (let i = next - row.first; i < row.lines.length; i += 1) {
        found.push({ index: row.first + i, line: row.lines[i] ?? "" });
      }
    }
    return found;
  }

  /** The row that has this event; null: there is none. */
  #rowWith(index: number): { readonly first: number; readonly lines: readonly string[] } | null {
    const known = this.#row;
    if (known !== null && index >= known.first && index < known.first + known.lines.length) {
      return known;
    }
    const [row] = this.#tables.events.getRange({ start: index, reverse: true, limit: 1 });
    if (row === undefined) return null;
    const { buffer, byteOffset, byteLength } = row.value;
    const lines = Buffer.from(buffer, byteOffset, byteLength).toString().split("\n");
    if (index >= row.key + lines.length) return null;
    return (this.#row = { first: row.key, lines });
  }
}
