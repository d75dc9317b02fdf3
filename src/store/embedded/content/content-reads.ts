import { canonicalEvent } from "../../../contract/audit.ts";
import { refuse } from "../../../contract/errors.ts";
import { settlementFlushWaitMsMax } from "../../../contract/limits.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { systemClock, type Clock } from "../../../runtime/clock.ts";
import type { Journal } from "../../journal/journal.ts";

/** Who reads the content of a request without masks, and why. */
export interface ContentRead {
  readonly orgId: string;
  /** The request whose content is read. */
  readonly requestId: string;
  /** The place of its event in the log. */
  readonly index: number;
  readonly reason: string;
  readonly byKeyId: string;
  readonly byRole: string;
  /** The id of the request that asks for it. */
  readonly callId: string;
}

/** Records who reads readable content, in the log of the organization that it belongs to. */
export class ContentReads {
  readonly #journal: Pick<Journal, "accepting" | "append" | "applied">;
  readonly #clock: Clock;

  constructor(journal: Pick<Journal, "accepting" | "append" | "applied">, clock = systemClock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /**
   * Appends the event `content.read`. When it resolves with success, the event is durable and readers of the log
   * see it. Errors: `internal_error`; then nothing may be shown, though the event may still be written later.
   */
  async note(read: ContentRead): Promise<Outcome<null>> {
    if (!this.#journal.accepting) return notNoted;
    const { orgId, requestId, index, reason, byKeyId, byRole, callId } = read;
    const line = canonicalEvent(
      {
        eventType: "content.read",
        message: "Readable content was read without masks.",
        orgId,
        requestId,
        data: { index, reason, by_key_id: byKeyId, by_role: byRole, by_request_id: callId },
      },
      new Date(this.#clock.wallMs()).toISOString(),
    );
    const mark = this.#journal.append([line]);
    return (await this.#journal.applied(mark, settlementFlushWaitMsMax)) ? accept(null) : notNoted;
  }
}

const notNoted = refuse(
  "internal_error",
  "The audit log can't be written at the moment, so no content is shown.",
  { details: { retryable: true }, retryAfterSeconds: 1 },
);
