import { lingerBytesMax } from "../../contract/limits.ts";
import type { HttpResponse } from "uWebSockets.js";

/** What a responder needs of a uWS `HttpResponse`. */
export interface ResponseSocket {
  cork(write: () => void): void;
  writeStatus(status: string): void;
  writeHeader(name: string, value: string | Uint8Array): void;
  /** False: it met backpressure. */
  write(chunk: Uint8Array): boolean;
  end(body?: string | Uint8Array, closeConnection?: boolean): void;
  /**
   * Without a length to report: uWS 20.51.4 then waits for so many bytes of body, takes the next request
   * for a pipelined one and cuts the connection. A length goes as a header.
   */
  endWithoutBody(): void;
  onAborted(listener: () => void): void;
  onData(listener: (chunk: ArrayBuffer, last: boolean) => void): void;
  onWritable(listener: () => boolean): void;
  pause(): void;
  resume(): void;
  close(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  /** Where the head is kept until the first bytes: sends it now. */
  sendHead?(): void;
}

/**
 * The last answer on a connection, to a request whose end is not certain. uWS 20.51.4 takes the digits of a
 * chunk extension for the size and a trailer for the next request, so nothing behind a chunked body may
 * ever be run: uWS cuts a connection on which a request comes while an answer is pending, so the answer
 * stays pending until the body is over and the turn of the loop in which it ended; then the connection is
 * closed. What is answered before its body has come is answered at once, and stays pending for uWS all the
 * same (`Responder`, `LingeringClose`).
 */
export class LastResponse implements ResponseSocket {
  readonly #res: HttpResponse;
  #status = "";
  #headers: (readonly [string, string | Uint8Array])[] = [];
  #isHeadSent = false;
  #isBodyOver = false;
  #droppedBytes = 0;
  #roomLeft = true;
  #isGone = false;
  #isPaused = false;
  /** Ends the answer, once it may; null: it has not come to its end, or that is being written. */
  #ending: (() => void) | null = null;
  #aborted: (() => void) | null = null;
  #data: ((chunk: ArrayBuffer, last: boolean) => void) | null = null;
  #writable: (() => boolean) | null = null;

  /** To be made while the request's handler runs. */
  constructor(res: HttpResponse) {
    this.#res = res;
    res.onAborted(() => {
      this.#isGone = true;
      this.#aborted?.();
    });
    res.onData((chunk, last) => {
      if (this.#ending !== null) this.#droppedBytes += chunk.byteLength;
      this.#isBodyOver ||= last;
      this.#data?.(chunk, last);
      this.#endIfOver();
    });
  }

  cork(write: () => void): void {
    this.#res.cork(write);
  }

  writeStatus(status: string): void {
    this.#status = status;
  }

  writeHeader(name: string, value: string | Uint8Array): void {
    this.#headers.push([name, value]);
  }

  write(chunk: Uint8Array): boolean {
    if (!this.#isHeadSent) {
      this.sendHead();
      this.#res.writeHeader("Connection", "close");
    }
    return (this.#roomLeft = this.#res.write(chunk));
  }

  end(body?: string | Uint8Array): void {
    if (this.#isHeadSent) {
      this.#endWhenOver(() => this.#endStream(body));
      return;
    }
    this.#endWhenOver(() => {
      this.#res.cork(() => {
        this.sendHead();
        this.#res.end(body, true);
      });
    });
  }

  endWithoutBody(): void {
    this.#endWhenOver(() => {
      // Not read any more, as behind a stream: uWS closes only where a length is reported too.
      this.#res.pause();
      this.#res.cork(() => {
        this.sendHead();
        this.#res.writeHeader("Connection", "close");
        this.#res.endWithoutBody();
      });
    });
  }

  onAborted(listener: () => void): void {
    this.#aborted = listener;
  }

  onData(listener: (chunk: ArrayBuffer, last: boolean) => void): void {
    this.#data = listener;
  }

  onWritable(listener: () => boolean): void {
    this.#writable = listener;
    this.#res.onWritable(() => this.#writable?.() ?? true);
  }

  pause(): void {
    this.#isPaused = true;
    this.#res.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#res.resume();
  }

  close(): void {
    this.#res.close();
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return this.#res.getRemoteAddressAsText();
  }

  sendHead(): void {
    this.#isHeadSent = true;
    this.#res.writeStatus(this.#status);
    for (const [name, value] of this.#headers) this.#res.writeHeader(name, value);
    this.#headers = [];
  }

  #endWhenOver(ending: () => void): void {
    this.#ending = ending;
    // Whoever paused it reads no further.
    if (this.#isPaused) this.resume();
    this.#endIfOver();
  }

  #endIfOver(): void {
    const ending = this.#ending;
    if (ending === null) return;
    if (!this.#isBodyOver && this.#droppedBytes <= lingerBytesMax) return;
    this.#ending = null;
    // uWS may have more of this connection in its hands.
    setImmediate(() => {
      if (!this.#isGone) ending();
    });
  }

  #endStream(last: string | Uint8Array | undefined): void {
    if (last !== undefined && last.length > 0) {
      this.#res.cork(() => (this.#roomLeft = this.#res.write(last)));
    }
    if (this.#roomLeft) {
      this.#endUnread();
      return;
    }
    this.#writable = () => {
      this.#writable = null;
      this.#res.cork(() => undefined);
      this.#endUnread();
      return true;
    };
  }

  /**
   * uWS 20.51.4 can't be told to close behind an answer that has begun (docs/decisions/0004). The client
   * closes, for the head said so; what it still sends is not read, and uWS cuts it after some ten
   * seconds. To be called without backpressure: a write that meets it makes uWS read again.
   */
  #endUnread(): void {
    this.#res.pause();
    this.#res.cork(() => this.#res.end());
  }
}
