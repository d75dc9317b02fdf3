import { bodyBytesShared, bodyBytesUnreserved } from "../../contract/limits.ts";

const firstCapacityBytes = 16 * 1024;

/**
 * A request body's bytes in one piece: doubling where the length is not known; where it is, exact once
 * more has come than needs no reservation.
 * From `bodyBytesShared` on the memory is shared, so that a worker reads it in place.
 */
export class BodyBuffer {
  /** How many there may come to be. */
  readonly bytesMax: number;
  readonly #exactBytes: number | null;
  #bytes: Buffer;
  #length = 0;

  /** `exactBytes`: the known length, or null. `bytesMax`: the cap in either case. */
  constructor(exactBytes: number | null, bytesMax: number) {
    this.#exactBytes = exactBytes;
    this.bytesMax = exactBytes ?? bytesMax;
    const isSmall = exactBytes !== null && exactBytes <= bodyBytesUnreserved;
    this.#bytes = isSmall ? allocate(exactBytes) : noBytes;
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
    if (length > this.bytesMax) return false;
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
    const larger = allocate(this.#capacityFor(length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  #capacityFor(length: number): number {
    if (this.#exactBytes !== null && length > bodyBytesUnreserved) return this.#exactBytes;
    const doubled = Math.max(length, this.#bytes.length * 2, firstCapacityBytes);
    return Math.min(doubled, this.bytesMax);
  }
}

const noBytes = Buffer.alloc(0);

function allocate(bytes: number): Buffer {
  if (bytes >= bodyBytesShared) return Buffer.from(new SharedArrayBuffer(bytes));
  // Not from Node's pool: a clone to a worker copies a view's whole backing store.
  return Buffer.allocUnsafeSlow(bytes);
}
