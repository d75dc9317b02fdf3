/** Gets the responses of one connection while their bytes come. */
export interface ResponseSink {
  head(status: number, head: string): void;
  /** A piece of the body, without its framing; valid until the call returns. */
  body(bytes: Buffer): void;
  end(): void;
}

type State =
  | { readonly kind: "head" }
  | { readonly kind: "length"; left: number }
  | { readonly kind: "chunk-size" }
  | { readonly kind: "chunk"; left: number }
  | { readonly kind: "chunk-end" }
  | { readonly kind: "trailer" };

/**
 * Reads HTTP/1.1 responses that have a Content-Length or are chunked, because the subjects send no
 * others. Throws for anything else. It gets each read of the socket separately, which a client library
 * would hide.
 */
export class ResponseReader {
  readonly #sink: ResponseSink;
  #state: State = { kind: "head" };
  #rest: Buffer = Buffer.alloc(0);

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  read(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (at < bytes.length) {
      const next = this.#step(bytes, at);
      if (next === at) break;
      at = next;
    }
    // A copy, because the socket reuses its memory.
    this.#rest = at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
  }

  /** Returns where the next step begins; `at` itself while bytes are missing. */
  #step(bytes: Buffer, at: number): number {
    const state = this.#state;
    switch (state.kind) {
      case "head": {
        const end = bytes.indexOf("\r\n\r\n", at);
        if (end < 0) return at;
        this.#head(bytes.toString("latin1", at, end));
        return end + 4;
      }
      case "length":
      case "chunk": {
        const until = Math.min(bytes.length, at + state.left);
        this.#sink.body(bytes.subarray(at, until));
        state.left -= until - at;
        if (state.left === 0) {
          if (state.kind === "length") this.#finish();
          else this.#state = { kind: "chunk-end" };
        }
        return until;
      }
      case "chunk-end":
        if (bytes.length < at + 2) return at;
        this.#state = { kind: "chunk-size" };
        return at + 2;
      case "chunk-size": {
        const end = bytes.indexOf("\r\n", at);
        if (end < 0) return at;
        const left = parseInt(bytes.toString("latin1", at, end), 16);
        if (Number.isNaN(left)) throw new Error("a chunk's size is not a number");
        this.#state = left === 0 ? { kind: "trailer" } : { kind: "chunk", left };
        return end + 2;
      }
      case "trailer": {
        const end = bytes.indexOf("\r\n", at);
        if (end < 0) return at;
        if (end === at) this.#finish();
        return end + 2;
      }
    }
  }

  #head(head: string): void {
    const status = Number(head.slice(9, 12));
    this.#sink.head(status, head);
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#state = { kind: "chunk-size" };
      return;
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error("a response has neither length nor chunks");
    if (length === "0") this.#finish();
    else this.#state = { kind: "length", left: Number(length) };
  }

  #finish(): void {
    this.#state = { kind: "head" };
    this.#sink.end();
  }
}
