import { lingerBytesMax, lingerIdleMsMax, lingerMsMax } from "../../contract/limits.ts";

/**
 * A connection that is to be closed behind an answer which has gone out before the request's body has come.
 * To close a socket with unread bytes resets it, and a client that sends all of its body first then sees
 * the reset and never the answer; so what still comes is read and dropped until the body is over, or nothing
 * comes for `lingerIdleMsMax`; at most `lingerBytesMax`, for `lingerMsMax` (RFC 9112 section 9.6).
 */
export class LingeringClose {
  readonly #close: () => void;
  readonly #idle: NodeJS.Timeout;
  readonly #sinceMs = performance.now();
  #bytes = 0;
  #isOver = false;

  /** `close` is called once at most, and never from within `took`. */
  constructor(close: () => void) {
    this.#close = close;
    this.#idle = setTimeout(() => this.#end(), lingerIdleMsMax);
  }

  /** So many bytes of the body have come; `last`: it is over. */
  took(bytes: number, last: boolean): void {
    if (this.#isOver) return;
    this.#bytes += bytes;
    this.#idle.refresh();
    const isTooMuch =
      this.#bytes > lingerBytesMax || performance.now() - this.#sinceMs > lingerMsMax;
    // uWS may have more of this connection in its hands.
    if (last || isTooMuch) setImmediate(() => this.#end());
  }

  /** The connection is closed, whoever closed it. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#idle);
  }

  #end(): void {
    if (this.#isOver) return;
    this.stop();
    this.#close();
  }
}
