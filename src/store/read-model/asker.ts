import { appendFileSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  listPageBytesMin,
  recordLookupEventsMax,
  recordsQueryMsMax,
  usageQuarterMs,
} from "../../contract/limits.ts";
import { readEvent } from "../../contract/audit.ts";
import { breakdownJson, facetsJson, seriesJson, shownRecord, type Row } from "./answers.ts";
import type { RecordsDatabase } from "./database.ts";
import type { Sql } from "./filter.ts";
import { exportPath } from "./export-path.ts";
import type { LogSource } from "./log-source.ts";
import { rowOf } from "./record-row.ts";
import type { Answers, PageAnswer, Question } from "./question.ts";
import {
  breakdownSql,
  countSql,
  csvEndSql,
  csvSql,
  eventsOfRequestSql,
  eventsSql,
  exportSql,
  facetsSql,
  recordOfSql,
  recordsSql,
  seriesSql,
} from "./sql.ts";
import { offsetsOf } from "./zone.ts";

/** Why a question has no answer. */
export class Unanswered extends Error {
  /** `gone`: its asker left; `late`: it took longer than `recordsQueryMsMax`. */
  readonly reason: "gone" | "late";

  constructor(reason: "gone" | "late") {
    super(`a question was interrupted: ${reason}`);
    this.reason = reason;
  }
}

/** A question that is being answered. */
export class Asking {
  readonly #connection: DuckDBConnection;
  readonly #log: LogSource;
  readonly #directory: string;
  #interrupted: Unanswered["reason"] | null = null;
  #again: NodeJS.Timeout | undefined;

  private constructor(connection: DuckDBConnection, log: LogSource, directory: string) {
    this.#connection = connection;
    this.#log = log;
    this.#directory = directory;
  }

  /** `directory`: of the database's file; exports are beside it. */
  static async begin(
    database: RecordsDatabase,
    log: LogSource,
    directory: string,
  ): Promise<Asking> {
    return new Asking(await database.connect(), log, directory);
  }

  /** Throws `Unanswered` if it was interrupted, anything else if the file can't be read. */
  async answer(question: Question): Promise<Answers[Question["kind"]]> {
    const timer = setTimeout(() => this.interrupt("late"), recordsQueryMsMax);
    try {
      return await this.#answer(question);
    } catch (error) {
      if (this.#interrupted !== null) throw new Unanswered(this.#interrupted);
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(this.#again);
      this.#connection.closeSync();
    }
  }

  interrupt(reason: Unanswered["reason"]): void {
    if (this.#interrupted !== null) return;
    this.#interrupted = reason;
    this.#connection.interrupt();
    // The database forgets an interruption that comes just before a statement begins.
    this.#again = setInterval(() => this.#connection.interrupt(), interruptAgainMs);
  }

  async #answer(question: Question): Promise<Answers[Question["kind"]]> {
    switch (question.kind) {
      case "records": {
        const found = (await this.#rows(recordsSql(question))).map(([index]) => Number(index));
        return page(
          found,
          question.limit,
          (index) => index,
          (index) => this.#shownRecord(index),
        );
      }
      case "events": {
        const found = (await this.#rows(eventsSql(question))).map(([index]) => Number(index));
        return page(
          found,
          question.limit,
          (index) => index,
          (index) => this.#shownEvent(index),
        );
      }
      case "csv": {
        const [[behind] = []] = await this.#rows(csvEndSql(question));
        const next = typeof behind === "bigint" ? Number(behind) : null;
        const [[lines] = []] = await this.#rows(csvSql({ ...question, end: next ?? question.end }));
        return { text: typeof lines === "string" ? lines : "", next };
      }
      case "count": {
        const [[count] = []] = await this.#rows(countSql(question));
        return Number(count);
      }
      case "export": {
        const [[rows, lines] = []] = await this.#rows(exportSql(question));
        const bytes = lines instanceof Uint8Array ? lines : noBytes;
        appendFileSync(exportPath(this.#directory, question.id), bytes);
        return { rows: Number(rows), bytes: bytes.length };
      }
      case "lookup":
        return this.#lookup(question);
      case "place": {
        const [row] = await this.#rows(recordOfSql(question));
        if (row === undefined) return null;
        const [index, orgId] = row;
        return typeof orgId === "string" ? { index: Number(index), orgId } : null;
      }
      case "facets":
        return facetsJson(await this.#rows(facetsSql(question)));
      case "series": {
        const { filter, zone, metric, step } = question;
        const [first, last] = [filter.sinceMs, filter.untilMs].map((ms) =>
          Math.floor(ms / usageQuarterMs),
        );
        const offsets = offsetsOf(zone, first ?? 0, last ?? 0);
        return seriesJson(await this.#rows(seriesSql(question, offsets)), metric, step, offsets);
      }
      case "breakdown":
        return breakdownJson(await this.#rows(breakdownSql(question)));
    }
  }

  async #lookup(question: Extract<Question, { kind: "lookup" }>): Promise<string | null> {
    const { requestId, filter } = question;
    const [row] = await this.#rows(recordOfSql(question));
    // Whoever sees one key's records alone must not see events of a request that is not among them.
    if (row === undefined && filter.key !== undefined) return null;
    const places = await this.#rows(
      eventsOfRequestSql(requestId, filter.orgId ?? null, recordLookupEventsMax),
    );
    if (row === undefined && places.length === 0) return null;
    const record = row === undefined ? "null" : this.#shownRecord(Number(row[0]));
    const events = places.map(([index]) => this.#shownEvent(Number(index)));
    return `{"record":${record},"events":[${events.join(",")}]}`;
  }

  /** From the log: in the database a record's columns are far apart, and take a hundred times as long. */
  #shownRecord(index: number): string {
    const row = rowOf(index, this.#line(index));
    if (row.kind !== "record") throw new Error(`event ${index} of the audit log is no record`);
    return JSON.stringify(shownRecord(row));
  }

  #shownEvent(index: number): string {
    const event = readEvent(this.#line(index));
    const { event_type, message, org_id, request_id, data, created_at } = event;
    return JSON.stringify({ index, event_type, message, org_id, request_id, data, created_at });
  }

  #line(index: number): string {
    const [found] = this.#log.read(index, 1);
    if (found === undefined) throw new Error(`the audit log lacks event ${index}`);
    return found.line;
  }

  #check(): void {
    if (this.#interrupted !== null) throw new Unanswered(this.#interrupted);
  }

  async #rows({ text, values }: Sql): Promise<readonly Row[]> {
    this.#check();
    const prepared = await this.#connection.prepare(text);
    try {
      this.#check();
      prepared.bind(
        values.map(({ value }) => value),
        values.map(({ type }) => type),
      );
      return (await prepared.runAndReadAll()).getRowsJS();
    } finally {
      prepared.destroySync();
    }
  }
}

const interruptAgainMs = 20;
const noBytes = new Uint8Array();

function page<T>(
  found: readonly T[],
  limit: number,
  indexOf: (one: T) => number,
  json: (one: T) => string,
): PageAnswer {
  const rows: string[] = [];
  let characters = 0;
  for (const one of found) {
    const last = found[rows.length - 1];
    const isFull = rows.length === limit || characters >= listPageBytesMin;
    if (isFull && last !== undefined) return { rows: rows.join(","), next: indexOf(last) };
    const row = json(one);
    characters += row.length;
    rows.push(row);
  }
  return { rows: rows.join(","), next: null };
}
