import { refuse } from "../../../contract/errors.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import { consistencyProof, inclusionProof, RememberedRoots } from "../../audit/merkle-tree.ts";
import { createdAtOf } from "../../audit/event-line.ts";
import { EventTimes, type TimeBounds } from "../../audit/event-times.ts";
import { leafHash } from "../../audit/merkle.ts";

/** An event with its place in the log. */
export interface LoggedEvent {
  readonly index: number;
  /** The canonical record: the leaf of the tree, one line of JSON. */
  readonly line: string;
}

/** The conditions for showing a line. Times are ISO 8601 in UTC, to the millisecond. */
export interface EventFilter extends TimeBounds {
  /** A text that every such line contains; checked before the line is parsed. */
  readonly substrings: readonly string[];
  /** Called for lines that contain them; true selects the line. */
  readonly matches: (line: string) => boolean;
}

export interface EventQuery extends EventFilter {
  /** 1 to `auditPageMax`. */
  readonly limit: number;
  /** A page's `nextCursor`; null: from the newest. */
  readonly before: number | null;
  /** About the most events that one call examines. */
  readonly scannedMax: number;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /**
   * The `before` of the next page; null: there is none. A page may be short or even empty and still
   * have a next one, because it looks at no more than `scannedMax` events.
   */
  readonly nextCursor: number | null;
  /** About the number of examined events. */
  readonly scanned: number;
}

/** The proof that an event is in the log. It is checked with the log's verifier key. */
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

/** The permanent audit log; the journal writes it, this class reads it (design: Store). */
export interface AuditLog {
  /** C2SP verifier key of the log's checkpoints. */
  readonly verifierKey: string;
  /**
   * Resolves when the other methods know every event that is durable at the call. If the store can't be
   * written it gives up after `settlementFlushWaitMsMax`.
   */
  caughtUp(): Promise<void>;
  /** Errors: `not_found`. */
  event(index: number): Outcome<LoggedEvent>;
  /** Events that readers see. */
  readonly size: number;
  /** Newest first. */
  list(query: EventQuery): EventPage;
  /**
   * Events from `first` on, oldest first: all that are stored in the same row. Empty only at the
   * log's end.
   */
  run(first: number): readonly LoggedEvent[];
  /**
   * The first place from `first` on that may have an event of these times; `end` or more: there is none
   * before it.
   */
  placeFrom(first: number, end: number, times: TimeBounds): number;
  /** First signs a checkpoint if none covers the event yet. Errors: `not_found`, `internal_error`. */
  proof(index: number): Promise<Outcome<EventProof>>;
  /**
   * Inclusion proofs in the tree of the first `size` events. It is fastest for ascending indexes.
   */
  prover(size: number): (index: number) => readonly Buffer[];
  /** The newest signed note; it covers everything that is flushed. Errors: `internal_error`. */
  checkpoint(): Promise<Outcome<string>>;
  /** Errors: `invalid_request` unless 0 ≤ first ≤ second ≤ the log's size. */
  consistency(first: number, second: number): Outcome<readonly Buffer[]>;
}

/** The writer of the log. */
export interface LogWriter {
  /** `AuditLog.caughtUp`. */
  caughtUp(): Promise<void>;
  /** Signs a checkpoint of everything durable, if there is anything new. */
  publish(): Promise<Outcome<null>>;
}

export class LmdbAuditLog implements AuditLog {
  readonly verifierKey: string;
  readonly #tables: LmdbJournalTables;
  readonly #writer: LogWriter;

  constructor(tables: LmdbJournalTables, verifierKey: string, writer: LogWriter) {
    this.#tables = tables;
    this.verifierKey = verifierKey;
    this.#writer = writer;
  }

  caughtUp(): Promise<void> {
    return this.#writer.caughtUp();
  }

  get size(): number {
    return this.#fresh().meta.get("eventCount") ?? 0;
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

  placeFrom(first: number, end: number, times: TimeBounds): number {
    return new EventTimes(this.#fresh(), times).next(first, end);
  }

  list({ limit, before, scannedMax, ...filter }: EventQuery): EventPage {
    const tables = this.#fresh();
    const { size } = this;
    const times = new EventTimes(tables, filter);
    const events: LoggedEvent[] = [];
    let end = Math.min(before ?? size, size);
    let scanned = 0;
    const hasTurn = (): boolean => scanned + times.looks < scannedMax;
    while ((end = times.previous(end)) > 0 && hasTurn()) {
      const range = { start: end - 1, reverse: true };
      for (const { key: first, value } of tables.events.getRange(range)) {
        for (const event of passing(bytesOf(value), first, end, filter)) {
          events.push(event);
          const { index } = event;
          if (events.length === limit) {
            const nextCursor = index === 0 ? null : index;
            return { events, nextCursor, scanned: scanned + times.looks + end - index };
          }
        }
        scanned += end - first;
        end = first;
        if (!hasTurn() || times.previous(end) !== end) break;
      }
    }
    return { events, nextCursor: end === 0 ? null : end, scanned: scanned + times.looks };
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
    const published = await this.#writer.publish();
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
    const published = await this.#writer.publish();
    if (!published.ok) return published;
    const newest = this.#newestCheckpoint();
    // The log's events are flushed, so a new checkpoint covers them, except the newest checkpoint's own
    // event, which the next one covers.
    return newest !== undefined && newest.size > index ? accept(newest) : notCoveredYet;
  }

  #newestCheckpoint(): SizedNote | undefined {
    const [newest] = this.#fresh().checkpoints.getRange({ reverse: true, limit: 1 });
    return newest === undefined ? undefined : { size: newest.key, note: newest.value };
  }

  /**
   * lmdb keeps a read transaction for a turn, which would not show what the journal wrote meanwhile.
   */
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

/** Whether a line passes the filter. */
export function passes(line: string, { substrings, matches, since, until }: EventFilter): boolean {
  if (!substrings.every((part) => line.includes(part))) return false;
  const createdAt = createdAtOf(line);
  if (since !== null && createdAt < since) return false;
  return (until === null || createdAt < until) && matches(line);
}

/**
 * The events of a row that come before `end` and pass the filter, newest first. `first` is the index of
 * the row's first event.
 */
function* passing(
  row: Buffer,
  first: number,
  end: number,
  filter: EventFilter,
): Generator<LoggedEvent> {
  if (!filter.substrings.every((part) => row.includes(part))) return;
  const lines = row.toString().split("\n");
  for (let index = end - 1; index >= first; index -= 1) {
    const line = lines[index - first] ?? "";
    if (passes(line, filter)) yield { index, line };
  }
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function textOf(value: Uint8Array): string {
  return bytesOf(value).toString();
}
