import { bodyBytesUnreserved } from "../../contract/limits.ts";

const none = Buffer.alloc(0);

/**
 * The bytes of an answer that is kept until it is whole, in one piece. A list of chunks could take many times
 * their size, because the provider decides how small the chunks are. Bytes beyond the first 64 KiB are
 * reserved as the answer grows, and not by its declared length, because a provider can declare any length.
 */
export class BufferedBytes {
  readonly #bytesMax: number;
  readonly #reserve: (bytes: number) => boolean;
  #bytes: Buffer = none;
  #length = 0;
  #reservedBytes = 0;
  /** True while the bytes are the first chunk itself, which belongs to the connection. */
  #isView = false;
  #isWaiting = false;

  /** `reserve` returns false if there is no room yet. Then `granted` must be called once there is. */
  constructor(bytesMax: number, reserve: (bytes: number) => boolean) {
    this.#bytesMax = bytesMax;
    this.#reserve = reserve;
  }

  get length(): number {
    return this.#length;
  }

  /** Keeps a chunk, within `bytesMax`. It must be valid until `own`. False means: stop until there is room. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    // Most answers are one chunk, and end within the same read.
    this.#isView = this.#length === 0;
    if (this.#isView) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
    return this.#hasRoom();
  }

  /** The connection reuses its memory, so bytes that are still a view of it are copied. */
  own(): void {
    if (this.#isView) this.#bytes = Buffer.from(this.#bytes);
    this.#isView = false;
  }

  granted(): void {
    this.#isWaiting = false;
  }

  /** All bytes, in memory of their own. */
  whole(): Buffer {
    this.own();
    return this.#bytes.subarray(0, this.#length);
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
