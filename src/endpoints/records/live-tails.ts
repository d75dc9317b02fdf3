import { refuse } from "../../contract/errors.ts";
import {
  recordsRetryAfterSeconds,
  tailBeatMs,
  tailsMax,
  tailsPerKeyMax,
  tailsPerOrganizationMax,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { TailEnd } from "../../contract/records-api.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import type { FindKey } from "../../pipeline/caller/authenticate.ts";
import type { AuditLog } from "../../store/embedded/audit/audit-log.ts";
import type { NewRecords } from "../../store/read-model/messages.ts";
import type { ReadModel } from "../../store/read-model/read-model.ts";
import type { FindOrganization } from "../keys-api/scope.ts";
import type { RecordsCall } from "./endpoint.ts";
import { readFilter } from "./parameters.ts";
import { authenticateReader, type RecordsReader } from "./reader.ts";

export interface LiveTailsOptions {
  readonly readModel: Pick<ReadModel, "tail">;
  readonly auditLog: Pick<AuditLog, "caughtUp" | "size">;
  /** Finds a key or a session again, without counting that as a use of the session. */
  readonly checkKey: FindKey;
  readonly beatMs?: number;
}

/** Streams of new records as Server-Sent Events, a bounded number of them. */
export class LiveTails {
  readonly #options: LiveTailsOptions;
  readonly #open = new Set<LiveTail>();
  #closed = false;

  constructor(options: LiveTailsOptions) {
    this.#options = options;
  }

  /**
   * `GET /records/stream`: resolves when the stream is over. Errors: those of `readFilter`; `records_unavailable` if
   * there are too many, or while the records are read anew.
   */
  async open(
    { query, reader }: RecordsCall,
    exchange: Exchange,
    find: FindOrganization,
  ): Promise<Outcome<Answer | null>> {
    const filter = readFilter(query, reader, find);
    if (!filter.ok) return filter;
    if (this.#closed || !this.#hasRoomFor(reader)) return tooMany;
    const tail = new LiveTail(exchange, reader, this.#options);
    this.#open.add(tail);
    try {
      const { auditLog, readModel } = this.#options;
      await auditLog.caughtUp();
      const from = auditLog.size;
      const tailing = readModel.tail(filter.value, from, tail);
      if (!tailing.ok) return tailing;
      await tail.run(from);
      tailing.value();
      return accept(null);
    } finally {
      this.#open.delete(tail);
    }
  }

  /** Ends all of them, and opens no more. */
  close(): void {
    this.#closed = true;
    for (const tail of this.#open) tail.end("shutdown");
  }

  #hasRoomFor({ key, orgId }: RecordsReader): boolean {
    const open = [...this.#open].map(({ reader }) => reader);
    return (
      open.length < tailsMax &&
      open.filter((one) => one.orgId === orgId).length < tailsPerOrganizationMax &&
      open.filter((one) => one.key.id === key.id).length < tailsPerKeyMax
    );
  }
}

/** One stream. A client that is slow misses rows, which are counted; nothing waits for it in memory. */
class LiveTail {
  readonly reader: RecordsReader;
  readonly #exchange: Exchange;
  readonly #options: LiveTailsOptions;
  #hasRoom = true;
  #skipped = 0;
  #over: (() => void) | null = null;
  /** Why it ends, if that was known before it ran. */
  #ending: TailEnd | null = null;

  constructor(exchange: Exchange, reader: RecordsReader, options: LiveTailsOptions) {
    this.#exchange = exchange;
    this.reader = reader;
    this.#options = options;
  }

  /** Resolves when the stream has ended or its client has left. */
  async run(from: number): Promise<void> {
    const over = new Promise<void>((resolve) => (this.#over = resolve));
    const exchange = this.#exchange;
    exchange.onGone(() => this.#over?.());
    exchange.onDrained(() => {
      this.#hasRoom = true;
      this.#tellSkipped();
    });
    exchange.begin(200, headers);
    this.#write(eventText("open", JSON.stringify({ index: from })));
    const beats = setInterval(() => this.#beat(), this.#options.beatMs ?? tailBeatMs);
    if (this.#ending !== null) this.end(this.#ending);
    if (exchange.state !== "streaming") this.#over?.();
    await over;
    clearInterval(beats);
  }

  readonly told = ({ rows, skipped }: NewRecords): void => {
    if (!this.#mayGoOn()) return;
    this.#skipped += skipped;
    if (this.#hasRoom) {
      this.#write(rows.map(({ index, json }) => eventText("record", json, index)).join(""));
      this.#tellSkipped();
    } else {
      this.#skipped += rows.length;
    }
  };

  readonly ended = (): void => this.end("unavailable");

  end(reason: TailEnd): void {
    this.#ending = reason;
    if (this.#over === null || this.#exchange.state !== "streaming") return;
    this.#exchange.end(Buffer.from(eventText("end", JSON.stringify({ reason }))));
    this.#over();
  }

  #beat(): void {
    if (this.#mayGoOn() && this.#hasRoom) this.#write(": \n\n");
  }

  /** A key that was revoked, and a session that has ended, see nothing more. */
  #mayGoOn(): boolean {
    if (this.#exchange.state !== "streaming") return false;
    const now = authenticateReader(this.#exchange.head, this.#options.checkKey);
    const { orgId, keyId } = this.reader;
    if (now.ok && now.value.orgId === orgId && now.value.keyId === keyId) return true;
    this.end("signed_out");
    return false;
  }

  #tellSkipped(): void {
    if (this.#skipped === 0 || !this.#hasRoom) return;
    this.#write(eventText("skipped", JSON.stringify({ rows: this.#skipped })));
    this.#skipped = 0;
  }

  #write(text: string): void {
    if (text !== "") this.#hasRoom = this.#exchange.write(Buffer.from(text));
  }
}

/** `data` is JSON of one line. */
function eventText(event: string, data: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

// nginx would otherwise collect events before it passes them on.
const headers = [
  ...["Content-Type", "text/event-stream; charset=utf-8", "Cache-Control", "no-store"],
  ...["X-Accel-Buffering", "no"],
];

const tooMany = refuse("records_unavailable", "There are too many live tails: end one.", {
  retryAfterSeconds: recordsRetryAfterSeconds,
});
