import { bodyBytesUnreserved } from "../../contract/limits.ts";

const none = Buffer.alloc(0);

/**
 * The bytes of an answer that is kept until it is whole, in one piece. A list of chunks could take many times
 * their size, because the provider decides how small the chunks are. Bytes beyond the first 64 KiB are
 * reserved as the answer grows, not by its declared length: any provider can declare any length.
 */
export class BufferedBytes {
  readonly #bytesMax: number;
  readonly #reserve: (bytes: number) => boolean;
  #bytes: Buffer = none;
  #length = 0;
  #reservedBytes = 0;
  #isChunk = false;
  #isWaiting = false;

  /** `reserve` returns false if there is no room yet. Then `granted` must be called once there is. */
  constructor(bytesMax: number, reserve: (bytes: number) => boolean) {
    this.#bytesMax = bytesMax;
    this.#reserve = reserve;
  }

  get length(): number {
    return this.#length;
  }

  /** Keeps a chunk, within `bytesMax`. False means: stop until there is room. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    // Most answers are one chunk.
    this.#isChunk = this.#length === 0;
    if (this.#isChunk) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
    return this.#hasRoom();
  }

  granted(): void {
    this.#isWaiting = false;
  }

  /** All bytes. A single chunk is copied, because it may be a small view of a large buffer. */
  whole(): Buffer {
    return this.#isChunk ? Buffer.from(this.#bytes) : this.#bytes.subarray(0, this.#length);
  }

  #hasRoom(): boolean {
    const { length } = this.#bytes;
    if (this.#isWaiting) return false;
    if (length <= Math.max(bodyBytesUnreserved, this.#reservedBytes)) return true;
    const missing = length - this.#reservedBytes;
    this.#reservedBytes = length;
    this.#isWaiting = !this.#reserve(missing);
    return !this.#isWaiting;
  }

  #grow(length: number): void {
    const doubled = Math.min(Math.max(length, 2 * this.#bytes.length), this.#bytesMax);
    const larger = Buffer.allocUnsafeSlow(doubled);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
