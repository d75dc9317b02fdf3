import { bodyBytesShared } from "../contract/limits.ts";

const firstCapacityBytes = 16 * 1024;

/**
 * A request body's bytes in one piece: exact where the length is known, doubling where it is not.
 * From `bodyBytesShared` on the memory is shared, so that a worker reads it in place.
 */
export class BodyBuffer {
  readonly #bytesMax: number;
  #bytes: Buffer;
  #length = 0;

  /** `exactBytes`: the known length, or null. `bytesMax`: the cap in either case. */
  constructor(exactBytes: number | null, bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#bytes = allocate(exactBytes ?? Math.min(firstCapacityBytes, bytesMax));
  }

  /** What has been appended lies in `bytes.subarray(0, length)`; the object changes as it grows. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies a chunk in; false where it would pass the cap. */
  append(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#bytesMax) return false;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  whole(): Buffer {
    return this.#length === this.#bytes.length
      ? this.#bytes
      : this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const doubled = Math.min(Math.max(length, this.#bytes.length * 2), this.#bytesMax);
    const larger = allocate(doubled);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function allocate(bytes: number): Buffer {
  if (bytes >= bodyBytesShared) return Buffer.from(new SharedArrayBuffer(bytes));
  // Not from Node's pool: a clone to a worker copies a view's whole backing store.
  return Buffer.allocUnsafeSlow(bytes);
}
