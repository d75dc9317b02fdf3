import { jsonNumberBytesMax } from "../contract/limits.ts";
import type { Token } from "./token.ts";

/**
 * `-? (0 | [1-9][0-9]*) (\. [0-9]+)? ([eE] [+-]? [0-9]+)?` as a table: for each part, the bytes that
 * may follow and the parts that they begin (RFC 8259, section 6). A byte that is not listed does not
 * belong to the number.
 */
const grammar: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: { "-": "minus", "0": "zero", "123456789": "integer" },
  minus: { "0": "zero", "123456789": "integer" },
  zero: { ".": "dot", eE: "e" },
  integer: { "0123456789": "integer", ".": "dot", eE: "e" },
  dot: { "0123456789": "fraction" },
  fraction: { "0123456789": "fraction", eE: "e" },
  e: { "+-": "sign", "0123456789": "exponent" },
  sign: { "0123456789": "exponent" },
  exponent: { "0123456789": "exponent" },
};
const parts = Object.keys(grammar);
const nothing = parts.indexOf("nothing");
const notOfNumber = parts.length;
const completing = new Set(
  ["zero", "integer", "fraction", "exponent"].map((part) => parts.indexOf(part)),
);

/** `grammar` by `part * 256 + byte`. */
const following = new Uint8Array(parts.length * 256).fill(notOfNumber);
for (const [part, successors] of Object.entries(grammar)) {
  for (const [bytes, next] of Object.entries(successors)) {
    for (const byte of Buffer.from(bytes)) {
      following[parts.indexOf(part) * 256 + byte] = parts.indexOf(next);
    }
  }
}

/** A JSON number from its first byte to the byte after its last. */
export class NumberToken implements Token {
  ended = false;
  fault: string | undefined;
  #part = nothing;
  #start = 0;

  static beginsWith(byte: number): boolean {
    return following[nothing * 256 + byte] !== notOfNumber;
  }

  begin(at: number): void {
    this.ended = false;
    this.#part = nothing;
    this.#start = at;
  }

  /** The number may end here. */
  get complete(): boolean {
    return completing.has(this.#part);
  }

  advance(bytes: Uint8Array, from: number, length: number): number {
    let at = from;
    let part = this.#part;
    for (; at < length; at++) {
      const next = following[part * 256 + (bytes[at] ?? 0)] ?? notOfNumber;
      if (next === notOfNumber) break;
      part = next;
    }
    this.#part = part;
    if (at - this.#start > jsonNumberBytesMax) {
      this.fault = `number longer than ${jsonNumberBytesMax} bytes`;
    } else if (at < length) {
      this.ended = this.complete;
      if (!this.ended) this.fault = "invalid number";
    }
    return at;
  }
}
