import { tailRowsPerSecond } from "../../contract/limits.ts";
import { shownRecord } from "./answers.ts";
import { passesFilter, type RecordFilter } from "./filter.ts";
import type { FromReadModel } from "./messages.ts";
import type { RecordRow } from "./record-row.ts";

interface Tail {
  readonly filter: RecordFilter;
  /** Records before are not told, or not again where the database is made anew. */
  from: number;
  /** Of the current second: when it began, and what was told in it. */
  secondMs: number;
  rows: number;
}

/** Who is told of new records, in the read model's process; nobody of more than `tailRowsPerSecond`. */
export class Tails {
  readonly #tell: (message: FromReadModel) => void;
  readonly #nowMs: () => number;
  readonly #tails = new Map<number, Tail>();

  constructor(tell: (message: FromReadModel) => void, nowMs = () => performance.now()) {
    this.#tell = tell;
    this.#nowMs = nowMs;
  }

  add(id: number, filter: RecordFilter, from: number): void {
    this.#tails.set(id, { filter, from, secondMs: -Infinity, rows: 0 });
  }

  remove(id: number): void {
    this.#tails.delete(id);
  }

  /** Records that were just appended, oldest first. */
  offer(records: readonly RecordRow[]): void {
    for (const [id, tail] of this.#tails) this.#offer(id, tail, records);
  }

  #offer(id: number, tail: Tail, records: readonly RecordRow[]): void {
    const { filter, from } = tail;
    const found = records.filter((row) => row.index >= from && passesFilter(row, filter));
    tail.from = Math.max(from, (records.at(-1)?.index ?? -1) + 1);
    if (found.length === 0) return;
    const nowMs = this.#nowMs();
    if (nowMs - tail.secondMs >= 1_000) {
      tail.secondMs = nowMs;
      tail.rows = 0;
    }
    const told = found.slice(0, tailRowsPerSecond - tail.rows);
    tail.rows += told.length;
    this.#tell({
      kind: "tail",
      id,
      rows: told.map((row) => ({ index: row.index, json: JSON.stringify(shownRecord(row)) })),
      skipped: found.length - told.length,
    });
  }
}
