import { lingerBytesMax } from "../../contract/limits.ts";
import type { HttpResponse } from "uWebSockets.js";

/** The part of a uWS `HttpResponse` that a responder needs. */
export interface ResponseSocket {
  cork(write: () => void): void;
  writeStatus(status: string): void;
  writeHeader(name: string, value: string | Uint8Array): void;
  /** False if it met backpressure. */
  write(chunk: Uint8Array): boolean;
  end(body?: string | Uint8Array, closeConnection?: boolean): void;
  /**
   * Reports no length: otherwise uWS 20.51.4 waits for that many bytes of body, takes the next request for a
   * pipelined one and cuts the connection. A length goes as a header.
   */
  endWithoutBody(): void;
  onAborted(listener: () => void): void;
  onData(listener: (chunk: ArrayBuffer, last: boolean) => void): void;
  onWritable(listener: () => boolean): void;
  pause(): void;
  resume(): void;
  close(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  /** Only if the head waits for the first bytes: sends it now. */
  sendHead?(): void;
}

/**
 * The last answer on a connection, for a request whose end is uncertain. uWS 20.51.4 takes the digits of a
 * chunk extension for the size, and a trailer for the next request, so nothing after a chunked body may ever
 * run. uWS cuts a connection if a request comes while an answer is pending. So the answer stays pending until
 * the body is over, and the turn of the loop in which it ended. Then the connection is closed. An answer
 * before the end of the body is sent at once, but stays pending for uWS (`Responder`, `LingeringClose`).
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
  /**
   * Ends the answer as soon as that is allowed; null if the answer has not ended, or its end is being
   * written.
   */
  #ending: (() => void) | null = null;
  #aborted: (() => void) | null = null;
  #data: ((chunk: ArrayBuffer, last: boolean) => void) | null = null;
  #writable: (() => boolean) | null = null;

  /** Must be constructed while the request's handler runs. */
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
      // Stops reading, as after a stream: uWS closes only if a length is reported too.
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
    // If the reader has paused the socket, nothing else resumes it.
    if (this.#isPaused) this.resume();
    this.#endIfOver();
  }

  #endIfOver(): void {
    const ending = this.#ending;
    if (ending === null) return;
    if (!this.#isBodyOver && this.#droppedBytes <= lingerBytesMax) return;
    this.#ending = null;
    // uWS may still be processing bytes of this connection.
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
   * uWS 20.51.4 can't be told to close after an answer that has begun (docs/decisions/0004). The client
   * closes, because the head told it to. What it still sends is not read, and uWS cuts it after some ten
   * seconds. Must be called without backpressure, because a write that meets it makes uWS read again.
   */
  #endUnread(): void {
    this.#res.pause();
    this.#res.cork(() => this.#res.end());
  }
}
