import { bodyBytesShared, bodyBytesUnreserved } from "../../contract/limits.ts";

const firstCapacityBytes = 16 * 1024;

/**
 * A request body's bytes in one piece. If the length is unknown, the buffer doubles. If it is known, the
 * buffer gets the exact length once more bytes have come than fit without a reservation. From
 * `bodyBytesShared` on the memory is shared, so a worker reads it in place.
 */
export class BodyBuffer {
  /** The maximum number of bytes. */
  readonly bytesMax: number;
  readonly #exactBytes: number | null;
  #bytes: Buffer;
  #length = 0;

  /** `exactBytes` is the known length, or null. `bytesMax` is the cap in both cases. */
  constructor(exactBytes: number | null, bytesMax: number) {
    this.#exactBytes = exactBytes;
    this.bytesMax = exactBytes ?? bytesMax;
    const isSmall = exactBytes !== null && exactBytes <= bodyBytesUnreserved;
    this.#bytes = isSmall ? allocate(exactBytes) : noBytes;
  }

  /** The bytes so far are `bytes.subarray(0, length)`. The object changes when it grows. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies a chunk in; false if it would pass the cap. */
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
  // Not from Node's pool, because cloning a view to a worker copies its whole backing store.
  return Buffer.allocUnsafeSlow(bytes);
}
