import type { Token } from "./token.ts";

export type Literal = "true" | "false" | "null";

/** One of JSON's three names. */
export class LiteralToken implements Token {
  ended = false;
  fault: string | undefined;
  #name: Literal = "null";
  #matched = 0;

  begin(name: Literal): void {
    this.ended = false;
    this.#name = name;
    this.#matched = 0;
  }

  advance(bytes: Uint8Array, from: number, length: number): number {
    let at = from;
    while (at < length && bytes[at] === this.#name.charCodeAt(this.#matched)) {
      at++;
      this.#matched++;
      if (this.#matched === this.#name.length) {
        this.ended = true;
        return at;
      }
    }
    if (at < length) this.fault = "unexpected byte";
    return at;
  }
}
