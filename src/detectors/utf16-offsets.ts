/**
 * Translates offsets in a text's UTF-8 bytes into UTF-16 code units. Free where the text is ASCII;
 * else it counts on from the last offset asked for, or from the beginning to go back.
 */
export class Utf16Offsets {
  readonly #utf8: Buffer;
  readonly #ascii: boolean;
  #byte = 0;
  #unit = 0;

  /** `utf8` is the text as `Buffer.from` encodes it: a lone surrogate is U+FFFD, 3 bytes, one unit. */
  constructor(text: string, utf8: Buffer) {
    this.#utf8 = utf8;
    this.#ascii = text.length === utf8.length;
  }

  /** `byte` stands between two characters. */
  at(byte: number): number {
    if (this.#ascii) return byte;
    if (byte < this.#byte) this.#byte = this.#unit = 0;
    while (this.#byte < byte) {
      const lead = this.#utf8[this.#byte] ?? 0;
      this.#byte += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      this.#unit += lead < 0xf0 ? 1 : 2;
    }
    return this.#unit;
  }
}
