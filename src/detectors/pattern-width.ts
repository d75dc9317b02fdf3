import { PatternText } from "./pattern-text.ts";

/**
 * An upper bound on the characters of an RE2 pattern's longest match, derived from its syntax.
 * Infinity if a repeat has no bound or if this reader does not know some syntax. The pattern must be
 * one that RE2 accepts.
 */
export function matchCharsMax(regex: string): number {
  return new WidthReader(regex).read();
}

/** The width of syntax that the reader does not know. */
const unknown = Infinity;

/** `{2}`, `{2,}`, `{2,5}`. Any other brace is an ordinary character. */
const counted = /^\{(\d+)(?:(,)(\d*))?\}/;

class WidthReader {
  readonly #text: PatternText;
  #isUnknown = false;

  constructor(regex: string) {
    this.#text = new PatternText(regex);
  }

  read(): number {
    const width = this.#alternatives();
    return this.#isUnknown || !this.#text.isOver ? unknown : width;
  }

  #alternatives(): number {
    let width = this.#sequence();
    while (this.#text.take("|")) width = Math.max(width, this.#sequence());
    return width;
  }

  #sequence(): number {
    let width = 0;
    while (!this.#isUnknown && !this.#text.isOver && !/^[|)]/.test(this.#text.rest)) {
      const atom = this.#atom();
      const times = this.#timesMax();
      width += atom === 0 ? 0 : atom * times;
    }
    return width;
  }

  #atom(): number {
    if (this.#text.take("(")) return this.#group();
    if (this.#text.take("[")) return this.#class();
    if (this.#text.match(/^(?:[$^]|\\[bBAz])/)) return 0;
    if (this.#text.take("\\")) return this.#escape();
    if (/^[*+?]/.test(this.#text.rest) || counted.test(this.#text.rest)) return this.#giveUp();
    this.#text.match(/^[^]/u);
    return 1;
  }

  /** Behind the opening parenthesis. */
  #group(): number {
    const opening = this.#text.match(/^\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?([:)]))/);
    if (opening?.[1] === ")") return 0;
    if (!opening && this.#text.rest.startsWith("?")) return this.#giveUp();
    const width = this.#alternatives();
    return this.#text.take(")") ? width : this.#giveUp();
  }

  /** Behind the opening bracket; whatever stands in it, it matches one character. */
  #class(): number {
    this.#text.take("^");
    for (let first = true; first || !this.#text.take("]"); first = false) {
      if (this.#text.match(/^\[:\^?\w+:\]/)) continue;
      if (this.#text.take("\\")) {
        if (this.#escape() !== 1) return this.#giveUp();
      } else if (!this.#text.match(/^[^]/u)) return this.#giveUp();
    }
    return 1;
  }

  /** Behind the backslash. */
  #escape(): number {
    const known =
      /^(?:[dDwWsSaftnrv]|[pP](?:[A-Za-z]|\{\^?[\w=]+\})|x(?:[\da-fA-F]{2}|\{[\da-fA-F]+\})|u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\})|[^\w\s])/u;
    return this.#text.match(known) ? 1 : this.#giveUp();
  }

  #timesMax(): number {
    const sign = this.#text.match(/^[*+?]/)?.[0];
    const count = sign === undefined ? this.#text.match(counted) : null;
    if (sign === undefined && count === null) return 1;
    this.#text.take("?");
    // The meaning of two repeats in a row is not clear.
    if (/^[*+?]/.test(this.#text.rest) || counted.test(this.#text.rest)) return this.#giveUp();
    if (sign !== undefined) return sign === "?" ? 1 : Infinity;
    const [, least, comma, most] = count ?? [];
    if (comma === undefined) return Number(least);
    return most === "" ? Infinity : Number(most);
  }

  #giveUp(): number {
    this.#isUnknown = true;
    return unknown;
  }
}
