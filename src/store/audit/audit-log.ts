import { refuse } from "../../contract/errors.ts";
import { auditPageScannedMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import { consistencyProof, inclusionProof } from "./merkle-tree.ts";
import { leafHash } from "./merkle.ts";

/** An event with its place in the log. */
export interface LoggedEvent {
  readonly index: number;
  /** The canonical record: the leaf of the tree, one line of JSON. */
  readonly line: string;
}

export interface EventQuery {
  /** 1 to `auditPageMax`. */
  readonly limit: number;
  /** A page's `nextCursor`; null: from the newest. */
  readonly before: number | null;
  /** What every line of the page holds; looked for before it is parsed. */
  readonly substrings: readonly string[];
  /** Looked at for lines that hold them; true takes the line. */
  readonly matches: (line: string) => boolean;
  /** False ends the list: this line and all older ones are out of its time. */
  readonly isRecent: (line: string) => boolean;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /**
   * What `before` takes for the next page; null: there is none. A page may be short, even empty, and
   * still have a next one: it looks at no more than `auditPageScannedMax` events.
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
  /** Newest first. */
  list(query: EventQuery): EventPage;
  /** Signs a checkpoint first where none covers the event yet. Errors: `not_found`, `internal_error`. */
  proof(index: number): Promise<Outcome<EventProof>>;
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

  event(index: number): Outcome<LoggedEvent> {
    const [page] = this.#fresh().events.getRange({ start: index, reverse: true, limit: 1 });
    const line = page === undefined ? undefined : linesOf(page.value)[index - page.key];
    return line === undefined ? noSuchEvent : accept({ index, line });
  }

  list({ limit, before, substrings, matches, isRecent }: EventQuery): EventPage {
    const tables = this.#fresh();
    const end = before ?? tables.meta.get("eventCount") ?? 0;
    const events: LoggedEvent[] = [];
    let scanned = 0;
    if (end === 0) return { events, nextCursor: null };
    for (const { key: first, value } of tables.events.getRange({ start: end - 1, reverse: true })) {
      const lines = linesOf(value);
      for (let index = Math.min(end, first + lines.length) - 1; index >= first; index -= 1) {
        const line = lines[index - first] ?? "";
        scanned += 1;
        if (!isRecent(line)) return { events, nextCursor: null };
        if (substrings.every((part) => line.includes(part)) && matches(line)) {
          events.push({ index, line });
        }
        if (events.length === limit || scanned === auditPageScannedMax) {
          return { events, nextCursor: index === 0 ? null : index };
        }
      }
    }
    return { events, nextCursor: null };
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
    return newest !== undefined && newest.size > index ? accept(newest) : noSuchEvent;
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
const nothingToSign = refuse("not_found", "The audit log has no event yet.");

function linesOf(value: Uint8Array): string[] {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString().split("\n");
}
