import { usageFoldMs, usageLogCharactersMax } from "../../contract/limits.ts";
import type { JournalTables } from "../journal/batch.ts";
import { markOf, type UsageLineOperation } from "./usage-count.ts";
import { UsageRows } from "./usage-rows.ts";

/**
 * Counts of requests that the rows of their windows do not have yet, as lines: all lines of a batch are
 * in one row, by number. A window's row has a kilobyte and its own place in the file. So each batch
 * adds to this log, and every `usageFoldMs` the gathered counts are added to the windows at once.
 */
export type UsageLogTables = Pick<JournalTables, "usageLog" | "usageWindows">;

interface LogReads {
  readonly usageLog: Pick<UsageLogTables["usageLog"], "get">;
}

/** The range of rows in the log. It is stored in row 0. */
interface LogState {
  readonly from: number;
  /** If this is less than `from`, there are no rows. */
  readonly to: number;
  readonly characters: number;
  /** When the first of them was counted, on the timeline. */
  readonly sinceMs: number;
}

const stateKey = 0;
const empty: LogState = { from: 1, to: 0, characters: 0, sinceMs: 0 };

function stateOf({ usageLog }: LogReads): LogState {
  const text = usageLog.get(stateKey);
  // Only this file writes it.
  return text === undefined ? empty : (JSON.parse(text) as LogState);
}

/** The counts since the windows' rows were written, oldest first. */
export function unfoldedLines(tables: LogReads): string[] {
  const { from, to } = stateOf(tables);
  const lines: string[] = [];
  for (let number = from; number <= to; number += 1) {
    lines.push(...(tables.usageLog.get(number) ?? "").split("\n"));
  }
  return lines;
}

/** The counts of a batch; use it inside the batch's transaction. */
export class UsageLog {
  readonly #tables: UsageLogTables;
  #lines: string[] = [];

  constructor(tables: UsageLogTables) {
    this.#tables = tables;
  }

  add({ line }: UsageLineOperation): void {
    this.#lines.push(line);
  }

  /** Writes the added counts to the log or, if enough have gathered, to the windows. */
  write(): void {
    const [first] = this.#lines;
    const last = this.#lines.at(-1);
    if (first === undefined || last === undefined) return;
    const state = stateOf(this.#tables);
    const isEmpty = state.to < state.from;
    const sinceMs = isEmpty ? markOf(first).timelineMs : state.sinceMs;
    const text = this.#lines.join("\n");
    const characters = state.characters + text.length;
    const isDue = markOf(last).timelineMs - sinceMs >= usageFoldMs;
    if (isDue || characters >= usageLogCharactersMax) {
      this.fold();
      return;
    }
    const to = state.to + 1;
    const { usageLog } = this.#tables;
    usageLog.putSync(to, text);
    usageLog.putSync(stateKey, JSON.stringify({ from: state.from, to, characters, sinceMs }));
    this.#lines = [];
  }

  /** Adds all that was counted to the windows. */
  fold(): void {
    const { usageLog, usageWindows } = this.#tables;
    const { from, to } = stateOf(this.#tables);
    const lines = [...unfoldedLines(this.#tables), ...this.#lines];
    this.#lines = [];
    if (lines.length === 0) return;
    const rows = new UsageRows(usageWindows);
    for (const line of lines) rows.add(line);
    rows.write();
    for (let number = from; number <= to; number += 1) usageLog.removeSync(number);
    usageLog.removeSync(stateKey);
  }
}
