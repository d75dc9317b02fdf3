import { packedBytesKeptMax } from "../contract/limits.ts";

const bytesAtFirst = 4_096;

/**
 * Numbers and texts as bytes, one after the other, on their way between threads of one process. The
 * reader must ask in the writer's order. What the journal holds of it may meet the next release (`batchForm`).
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(bytesAtFirst);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Everything written since `clear`. It is valid until the next call of this object. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  get length(): number {
    return this.#at;
  }

  clear(): void {
    this.#at = 0;
    // What one large body has let grow is not kept.
    if (this.#bytes.length <= packedBytesKeptMax) return;
    this.#bytes = Buffer.allocUnsafeSlow(bytesAtFirst);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** null is written as NaN. */
  number(value: number | null): void {
    if (this.#at + 8 > this.#bytes.length) this.#grow(8);
    this.#view.setFloat64(this.#at, value ?? Number.NaN);
    this.#at += 8;
  }

  /** From 0 to 255. */
  byte(value: number): void {
    if (this.#at + 1 > this.#bytes.length) this.#grow(1);
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  /** Keeps every UTF-16 code unit, lone surrogates too. */
  text(text: string | null): void {
    const length = text?.length ?? 0;
    if (this.#at + 4 + 2 * length > this.#bytes.length) this.#grow(4 + 2 * length);
    const start = this.#at + 4;
    if (text === null) {
      this.#view.setUint32(this.#at, nullText);
      this.#at = start;
      return;
    }
    // Ids and names: a loop is faster than the call of a native function.
    for (let i = 0; i < length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit > 0xff) return this.#wideText(text, start);
      this.#view.setUint8(start + i, unit);
    }
    this.#view.setUint32(this.#at, length * 2);
    this.#at = start + length;
  }

  /** Bytes that something else has packed. */
  packed(bytes: Uint8Array): void {
    if (this.#at + 4 + bytes.length > this.#bytes.length) this.#grow(4 + bytes.length);
    this.#view.setUint32(this.#at, bytes.length);
    this.#bytes.set(bytes, this.#at + 4);
    this.#at += 4 + bytes.length;
  }

  /** As `raw`, of a text without any unit above 0xff. */
  latin1(text: string): void {
    if (this.#at + text.length > this.#bytes.length) this.#grow(text.length);
    this.#at += this.#bytes.write(text, this.#at, "latin1");
  }

  /** Bytes without their length: only `ByteReader.rest` reads them, at the end. */
  raw(bytes: Uint8Array): void {
    if (this.#at + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #wideText(text: string, start: number): void {
    this.#bytes.write(text, start, "utf16le");
    this.#view.setUint32(this.#at, text.length * 2 + 1);
    this.#at = start + 2 * text.length;
  }

  #grow(room: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * this.#bytes.length + room);
    this.#bytes.copy(grown);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Reads what a `ByteWriter` has written. Throws a `RangeError` at the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** null where it was null or NaN. */
  number(): number | null {
    const value = this.#view.getFloat64(this.#at);
    this.#at += 8;
    return Number.isNaN(value) ? null : value;
  }

  byte(): number {
    const value = this.#view.getUint8(this.#at);
    this.#at += 1;
    return value;
  }

  text(): string | null {
    const marked = this.#view.getUint32(this.#at);
    this.#at += 4;
    if (marked === nullText) return null;
    const [units, isWide] = [marked >>> 1, (marked & 1) === 1];
    const end = this.#at + (isWide ? 2 * units : units);
    if (end > this.#bytes.length) throw new RangeError("packed bytes end too early");
    const text = this.#bytes.toString(isWide ? "utf16le" : "latin1", this.#at, end);
    this.#at = end;
    return text;
  }

  /** What has not been read yet, of the reader's own bytes. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** A part of the reader's own bytes. */
  packed(): Buffer {
    const start = this.#at + 4;
    this.#at = start + this.#view.getUint32(this.#at);
    return this.#bytes.subarray(start, this.#at);
  }
}

/** In place of a text's length: twice the number of code units, plus 1 if each takes two bytes. */
const nullText = 0xffff_ffff;
