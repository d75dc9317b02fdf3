import { refuse } from "../../contract/errors.ts";
import { auditDisorderMsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import { consistencyProof, inclusionProof, RememberedRoots } from "./merkle-tree.ts";
import { createdAtOf, eventTime } from "./event-line.ts";
import { leafHash } from "./merkle.ts";

/** An event with its place in the log. */
export interface LoggedEvent {
  readonly index: number;
  /** The canonical record: the leaf of the tree, one line of JSON. */
  readonly line: string;
}

/** What a line must be to be shown. Times are ISO 8601 in UTC, to the millisecond. */
export interface EventFilter {
  /** What every such line holds; looked for before it is parsed. */
  readonly substrings: readonly string[];
  /** Asked about lines that hold them; true takes the line. */
  readonly matches: (line: string) => boolean;
  /** Not before; null: from the first event on. */
  readonly since: string | null;
  /** Before; null: to the last one. */
  readonly until: string | null;
}

export interface EventQuery extends EventFilter {
  /** 1 to `auditPageMax`. */
  readonly limit: number;
  /** A page's `nextCursor`; null: from the newest. */
  readonly before: number | null;
  /** Events that one call looks at, about. */
  readonly scannedMax: number;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /**
   * What `before` takes for the next page; null: there is none. A page may be short, even empty, and
   * still have a next one, for it looks at `scannedMax` events.
   */
  readonly nextCursor: number | null;
}

/** That an event is in the log, for whoever holds the log's verifier key. */
export interface EventProof {
  readonly index: number;
  /** Events that the checkpoint covers. */
  readonly treeSize: number;
  readonly leafData: string;
  readonly leafHash: Buffer;
  readonly hashes: readonly Buffer[];
  /** The signed note. */
  readonly checkpoint: string;
}

/** What was recorded, for good; written by the journal, read here (design: Store). */
export interface AuditLog {
  /** C2SP verifier key of the log's checkpoints. */
  readonly verifierKey: string;
  /** Errors: `not_found`. */
  event(index: number): Outcome<LoggedEvent>;
  /** Events that are flushed. */
  readonly size: number;
  /** Newest first. */
  list(query: EventQuery): EventPage;
  /** Oldest first, from `first` on: as many as are stored together, none only at the log's end. */
  run(first: number): readonly LoggedEvent[];
  /** By how much the order of events may differ from that of their times. */
  readonly disorderMs: number;
  /** An index at or before the first event that is not before this time, and near it. */
  placeOf(at: string): number;
  /** Signs a checkpoint first where none covers the event yet. Errors: `not_found`, `internal_error`. */
  proof(index: number): Promise<Outcome<EventProof>>;
  /** Inclusion proofs in the tree of the first `size` events, quickest in order. */
  prover(size: number): (index: number) => readonly Buffer[];
  /** The newest signed note, of all that is flushed. Errors: `internal_error`. */
  checkpoint(): Promise<Outcome<string>>;
  /** Errors: `invalid_request` unless 0 ≤ first ≤ second ≤ the log's size. */
  consistency(first: number, second: number): Outcome<readonly Buffer[]>;
}

export class LmdbAuditLog implements AuditLog {
  readonly verifierKey: string;
  readonly #tables: LmdbJournalTables;
  readonly #publish: () => Promise<Outcome<null>>;

  /** `publish` signs a checkpoint of all that is flushed, where there is anything new. */
  constructor(
    tables: LmdbJournalTables,
    verifierKey: string,
    publish: () => Promise<Outcome<null>>,
  ) {
    this.#tables = tables;
    this.verifierKey = verifierKey;
    this.#publish = publish;
  }

  get size(): number {
    return this.#fresh().meta.get("eventCount") ?? 0;
  }

  get disorderMs(): number {
    return Math.max(auditDisorderMsMax, this.#fresh().meta.get("eventDisorderMs") ?? 0);
  }

  event(index: number): Outcome<LoggedEvent> {
    const [found] = this.run(index);
    return found === undefined ? noSuchEvent : accept(found);
  }

  run(first: number): readonly LoggedEvent[] {
    const [row] = this.#fresh().events.getRange({ start: first, reverse: true, limit: 1 });
    if (row === undefined) return [];
    const lines = textOf(row.value)
      .split("\n")
      .slice(first - row.key);
    return lines.map((line, i) => ({ index: first + i, line }));
  }

  placeOf(at: string): number {
    return this.#firstNotBefore(shifted(at, -this.disorderMs));
  }

  list({ limit, before, scannedMax, ...filter }: EventQuery): EventPage {
    const tables = this.#fresh();
    const { size } = this;
    const oldest = filter.since === null ? null : shifted(filter.since, -this.disorderMs);
    const events: LoggedEvent[] = [];
    let end = Math.min(before ?? this.#endOf(filter.until), size);
    let scanned = 0;
    if (end === 0) return { events, nextCursor: null };
    for (const { key: first, value } of tables.events.getRange({ start: end - 1, reverse: true })) {
      const row = bytesOf(value);
      const isWanted = filter.substrings.every((part) => row.includes(part));
      const lines = isWanted ? row.toString().split("\n") : [];
      for (let index = end - 1; index >= first && isWanted; index -= 1) {
        const line = lines[index - first] ?? "";
        if (passes(line, filter)) events.push({ index, line });
        if (events.length === limit) return { events, nextCursor: index === 0 ? null : index };
      }
      const head = row.toString("latin1", 0, lineHeadBytes);
      if (oldest !== null && createdAtOf(head) < oldest) return { events, nextCursor: null };
      scanned += end - first;
      end = first;
      if (scanned >= scannedMax) break;
    }
    return { events, nextCursor: end === 0 ? null : end };
  }

  prover(size: number): (index: number) => readonly Buffer[] {
    const { tiles } = this.#fresh();
    const remembered = new RememberedRoots();
    return (index) => inclusionProof(tiles, index, size, remembered);
  }

  async proof(index: number): Promise<Outcome<EventProof>> {
    const found = this.event(index);
    if (!found.ok) return found;
    const covering = await this.#checkpointOver(index);
    if (!covering.ok) return covering;
    const { size, note } = covering.value;
    const { line } = found.value;
    return accept({
      index,
      treeSize: size,
      leafData: line,
      leafHash: leafHash(Buffer.from(line)),
      hashes: inclusionProof(this.#fresh().tiles, index, size),
      checkpoint: note,
    });
  }

  async checkpoint(): Promise<Outcome<string>> {
    const published = await this.#publish();
    if (!published.ok) return published;
    const newest = this.#newestCheckpoint();
    return newest === undefined ? nothingToSign : accept(newest.note);
  }

  consistency(first: number, second: number): Outcome<readonly Buffer[]> {
    const { meta, tiles } = this.#fresh();
    const size = meta.get("eventCount") ?? 0;
    if (first > second || second > size) {
      return refuse(
        "invalid_request",
        `The log has ${size} events; first must not be after second.`,
      );
    }
    return accept(consistencyProof(tiles, first, second));
  }

  async #checkpointOver(index: number): Promise<Outcome<SizedNote>> {
    const known = this.#newestCheckpoint();
    if (known !== undefined && known.size > index) return accept(known);
    const published = await this.#publish();
    if (!published.ok) return published;
    const newest = this.#newestCheckpoint();
    // What is in the log is flushed, so a checkpoint of now covers it, unless it is the last one's own
    // event, which the next one covers.
    return newest !== undefined && newest.size > index ? accept(newest) : notCoveredYet;
  }

  /** Behind the last event that may be before this time. */
  #endOf(until: string | null): number {
    return until === null ? this.size : this.#firstNotBefore(shifted(until, this.disorderMs));
  }

  /** By bisection: events stand in the order of their times, but for `disorderMs`. */
  #firstNotBefore(at: string): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [event] = this.run(middle);
      if (event !== undefined && createdAtOf(event.line) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #newestCheckpoint(): SizedNote | undefined {
    const [newest] = this.#fresh().checkpoints.getRange({ reverse: true, limit: 1 });
    return newest === undefined ? undefined : { size: newest.key, note: newest.value };
  }

  /** lmdb keeps a read transaction for a turn, and would not see what the journal wrote meanwhile. */
  #fresh(): LmdbJournalTables {
    this.#tables.events.resetReadTxn();
    return this.#tables;
  }
}

interface SizedNote {
  readonly size: number;
  readonly note: string;
}

const noSuchEvent = refuse("not_found", "There is no such event in the audit log.");
const notCoveredYet = refuse(
  "not_found",
  "That event tells of the newest checkpoint; the next one will cover it.",
);
const nothingToSign = refuse("not_found", "The audit log has no event yet.");

/** Whether a line is one that the filter asks for. */
export function passes(line: string, { substrings, matches, since, until }: EventFilter): boolean {
  if (!substrings.every((part) => line.includes(part))) return false;
  const createdAt = createdAtOf(line);
  if (since !== null && createdAt < since) return false;
  return (until === null || createdAt < until) && matches(line);
}

/** Whether all that comes behind an event of this time is out of the filter's. */
export function endsBefore(
  createdAt: string,
  { until }: EventFilter,
  { disorderMs }: AuditLog,
): boolean {
  return until !== null && createdAt >= shifted(until, disorderMs);
}

/** More than what stands before the data of a line: two ids and what is our own. */
const lineHeadBytes = 1024;

function shifted(at: string, byMs: number): string {
  return eventTime(Date.parse(at) + byMs);
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function textOf(value: Uint8Array): string {
  return bytesOf(value).toString();
}
