import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import type { Transform } from "node:stream";
import type { BodyFlow } from "./body.ts";
import type { ContentEncoding } from "./framing.ts";

interface DecodedSink {
  decoded(bytes: Uint8Array): void;
  ended(): void;
  failed(reason: string): void;
}

/**
 * Decodes a compressed request body while it arrives, so compression never hides a body from the scan. The
 * sink's cap bounds the output. The socket is paused while the decoder is behind.
 */
export class BodyDecoder {
  readonly #stream: Transform;
  readonly #flow: BodyFlow;
  #paused = false;

  constructor(encoding: ContentEncoding, flow: BodyFlow, sink: DecodedSink) {
    this.#flow = flow;
    this.#stream = createDecoder(encoding);
    this.#stream.on("data", (bytes: Buffer) => sink.decoded(bytes));
    this.#stream.on("end", () => sink.ended());
    this.#stream.on("error", () => sink.failed(`The request body is not valid ${encoding}.`));
    this.#stream.on("drain", () => this.#resumeSocket());
  }

  write(chunk: Uint8Array, last: boolean): void {
    if (this.#stream.destroyed) return;
    // uWS detaches the chunk on return, and the decoder works later, in another thread.
    const roomLeft = this.#stream.write(Buffer.from(chunk));
    if (last) {
      this.#stream.end();
      return;
    }
    // Pauses again even if it was paused: something else may have resumed the socket.
    if (!roomLeft) {
      this.#paused = true;
      this.#flow.pause();
    }
  }

  /** Nothing more comes out until `resume`. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  destroy(): void {
    this.#stream.destroy();
    this.#resumeSocket();
  }

  #resumeSocket(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#flow.resume();
  }
}

function createDecoder(encoding: ContentEncoding): Transform {
  switch (encoding) {
    case "gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress();
    case "deflate":
      return createInflate();
  }
}
