/** The number of UTF-16 units of the character whose UTF-8 begins with the byte; 0: no character begins with it. */
const unitsOfByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 1 : 2,
);

const blockBits = 8;

/**
 * Translates offsets in a text's UTF-8 bytes into UTF-16 code units. This costs nothing if the text
 * is ASCII. Otherwise every byte up to the last requested offset is counted once, and the bytes of
 * one block again for each offset.
 */
export class Utf16Offsets {
  readonly #utf8: Uint8Array;
  readonly #isAscii: boolean;
  /** The units before each block of bytes, for the blocks counted so far. */
  readonly #unitsBefore: number[] = [0];

  /** `utf8` is the text as `Buffer.from` encodes it: a lone surrogate is U+FFFD, 3 bytes, one unit. */
  constructor(text: string, utf8: Uint8Array) {
    this.#utf8 = utf8;
    this.#isAscii = text.length === utf8.length;
  }

  /** `byte` stands between two characters. */
  at(byte: number): number {
    if (this.#isAscii) return byte;
    const block = byte >> blockBits;
    while (this.#unitsBefore.length <= block) {
      const counted = this.#unitsBefore.length - 1;
      const before = this.#unitsBefore[counted] ?? 0;
      this.#unitsBefore.push(
        before + this.#units(counted << blockBits, (counted + 1) << blockBits),
      );
    }
    return (this.#unitsBefore[block] ?? 0) + this.#units(block << blockBits, byte);
  }

  #units(from: number, to: number): number {
    const utf8 = this.#utf8;
    let units = 0;
    for (let at = from; at < to; at += 1) units += unitsOfByte[utf8[at] ?? 0] ?? 0;
    return units;
  }
}
