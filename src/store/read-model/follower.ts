import { hash } from "node:crypto";
import { recordsAppendedAtOnce } from "../../contract/limits.ts";
import type { RecordsDatabase } from "./database.ts";
import type { LoggedLine, LogSource } from "./log-source.ts";
import { rowOf, type OtherRow, type RecordRow } from "./record-row.ts";

/** Whether the tables hold the beginning of this log: else they are of another one. */
export function isOf({ progress }: RecordsDatabase, log: LogSource): boolean {
  const { next, last } = progress;
  if (next === 0) return true;
  if (next > log.size) return false;
  const [line] = log.read(next - 1, 1);
  return line !== undefined && sha256(line) === last;
}

/**
 * Appends the next events of the log, at most about `recordsAppendedAtOnce`; none at its end. Returns the
 * records among them.
 */
export async function follow(
  database: RecordsDatabase,
  log: LogSource,
): Promise<readonly RecordRow[]> {
  const { next } = database.progress;
  if (next >= log.size) return [];
  const lines = log.read(next, recordsAppendedAtOnce);
  const last = lines.at(-1);
  if (last === undefined || lines[0]?.index !== next) {
    throw new Error(`the audit log lacks event ${next}`);
  }
  const records: RecordRow[] = [];
  const others: OtherRow[] = [];
  for (const { index, line } of lines) {
    const row = rowOf(index, line);
    if (row.kind === "record") records.push(row);
    else others.push(row);
  }
  await database.append({ records, others }, { next: last.index + 1, last: sha256(last) });
  return records;
}

function sha256({ line }: LoggedLine): string {
  return hash("sha256", line, "hex");
}
