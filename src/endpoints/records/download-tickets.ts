import { hash, randomBytes } from "node:crypto";
import { downloadTicketMs, downloadTicketsMax } from "../../contract/limits.ts";

interface Ticket {
  readonly exportId: string;
  readonly credential: string;
  readonly endsMs: number;
}

/**
 * Stand in for a credential in the address of one download: a link of a page can send no header. A ticket works
 * once, for one export, within `downloadTicketMs`. The credential is asked for again when the ticket is used, so
 * a revoked key's ticket is worth nothing. Nothing of it is stored.
 */
export class DownloadTickets {
  readonly #nowMs: () => number;
  /** By hash, in the order in which they were issued. */
  readonly #tickets = new Map<string, Ticket>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** 256 random bits, in hex. The oldest ticket makes room if there are too many. */
  issue(exportId: string, credential: string): string {
    const nowMs = this.#nowMs();
    for (const [key, { endsMs }] of this.#tickets) {
      if (endsMs > nowMs && this.#tickets.size < downloadTicketsMax) break;
      this.#tickets.delete(key);
    }
    const ticket = randomBytes(32).toString("hex");
    const endsMs = nowMs + downloadTicketMs;
    this.#tickets.set(hashOf(ticket), { exportId, credential, endsMs });
    return ticket;
  }

  /** The credential behind a ticket, which is used up; null if it is not one for this export, or over. */
  take(exportId: string, ticket: string): string | null {
    const key = hashOf(ticket);
    const found = this.#tickets.get(key);
    if (found === undefined) return null;
    this.#tickets.delete(key);
    return found.exportId === exportId && found.endsMs > this.#nowMs() ? found.credential : null;
  }
}

/** What is compared says nothing about a ticket by the time that it takes. */
function hashOf(ticket: string): string {
  return hash("sha256", ticket, "hex");
}
