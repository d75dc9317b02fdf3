import { lingerBytesMax, lingerIdleMsMax, lingerMsMax } from "../../contract/limits.ts";

/**
 * A connection to close after an answer that was sent before the request's body had come. Closing a socket
 * with unread bytes resets it. A client that sends its whole body first then sees the reset and never the
 * answer. So the remaining bytes are read and dropped until the body is over, or nothing comes for
 * `lingerIdleMsMax`; at most `lingerBytesMax`, for `lingerMsMax` (RFC 9112 section 9.6).
 */
export class LingeringClose {
  readonly #close: () => void;
  readonly #idle: NodeJS.Timeout;
  readonly #sinceMs = performance.now();
  #bytes = 0;
  #isOver = false;

  /** `close` is called at most once, and never from within `took`. */
  constructor(close: () => void) {
    this.#close = close;
    this.#idle = setTimeout(() => this.#end(), lingerIdleMsMax);
  }

  /** `bytes` of the body have come; `last` means that the body is over. */
  took(bytes: number, last: boolean): void {
    if (this.#isOver) return;
    this.#bytes += bytes;
    this.#idle.refresh();
    const isTooMuch =
      this.#bytes > lingerBytesMax || performance.now() - this.#sinceMs > lingerMsMax;
    // uWS may still be processing bytes of this connection.
    if (last || isTooMuch) setImmediate(() => this.#end());
  }

  /** The connection is closed, for whatever reason. */
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
