import { upstreamChunkLineBytesMax, upstreamHeadBytesMax } from "../../contract/limits.ts";
import { readTrailer } from "./response-head.ts";
import { InvalidResponse } from "./upstream-failure.ts";

interface ChunkTaker {
  data(bytes: Buffer): void;
  readonly isOver: boolean;
}

/** The part of the framing to which the next byte belongs. */
const parts = {
  size: 0,
  extension: 1,
  sizeEnd: 2,
  data: 3,
  dataEnd: 4,
  dataLineFeed: 5,
  trailer: 6,
};

const [cr, lf, semicolon, space, tab, del] = [0x0d, 0x0a, 0x3b, 0x20, 0x09, 0x7f];
/** More digits than a safe integer has. */
const sizeDigitsMax = 13;

/** Takes the framing off a chunked body (RFC 9112 section 7.1), however it is split. Trailers are dropped. */
export class ChunkedBody {
  #part = parts.size;
  /**
   * The length of the chunk while it is read, and then the number of bytes that are still to come.
   */
  #left = 0;
  #digits = 0;
  #lineBytes = 0;
  #trailer = "";
  #isOver = false;

  begin(): void {
    this.#part = parts.size;
    this.#beginLine();
    this.#trailer = "";
    this.#isOver = false;
  }

  /** True if the last chunk and its trailer have come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Takes `bytes` from an offset on, and returns the offset after the last byte that it took. Throws
   * `InvalidResponse`.
   */
  push(bytes: Buffer, from: number, taker: ChunkTaker): number {
    let at = from;
    while (at < bytes.length && !this.#isOver && !taker.isOver) {
      if (this.#part === parts.data) {
        const end = Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        if (this.#left === 0) this.#part = parts.dataEnd;
        taker.data(bytes.subarray(at, end));
        at = end;
      } else {
        this.#byte(bytes[at] ?? 0);
        at += 1;
      }
    }
    return at;
  }

  #byte(byte: number): void {
    switch (this.#part) {
      case parts.size:
        this.#size(byte);
        break;
      case parts.extension:
        if (byte === cr) this.#part = parts.sizeEnd;
        else if ((byte < space && byte !== tab) || byte === del) throw invalid();
        else if (++this.#lineBytes > upstreamChunkLineBytesMax) throw invalid();
        break;
      case parts.sizeEnd:
        if (byte !== lf) throw invalid();
        this.#part = this.#left === 0 ? parts.trailer : parts.data;
        break;
      case parts.dataEnd:
        if (byte !== cr) throw invalid();
        this.#part = parts.dataLineFeed;
        break;
      case parts.dataLineFeed:
        if (byte !== lf) throw invalid();
        this.#part = parts.size;
        this.#beginLine();
        break;
      default:
        this.#trailerByte(byte);
    }
  }

  #beginLine(): void {
    this.#left = 0;
    this.#digits = 0;
    this.#lineBytes = 0;
  }

  #size(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#digits += 1;
      if (this.#digits > sizeDigitsMax) throw invalid();
      this.#left = this.#left * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw invalid();
    if (byte === cr) this.#part = parts.sizeEnd;
    else if (byte === semicolon) this.#part = parts.extension;
    else throw invalid();
  }

  /** The end is an empty line: at once, or after the lines of a trailer. */
  #trailerByte(byte: number): void {
    this.#trailer += String.fromCharCode(byte);
    const text = this.#trailer;
    if (text.length > upstreamHeadBytesMax) throw invalid();
    if (byte !== lf) return;
    if (!text.endsWith("\r\n")) throw invalid();
    if (text !== "\r\n" && !text.endsWith("\r\n\r\n")) return;
    this.#isOver = true;
    if (text !== "\r\n") readTrailer(text.slice(0, -4));
  }
}

function invalid(): InvalidResponse {
  return new InvalidResponse("the chunks of the body are malformed");
}

/** -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
