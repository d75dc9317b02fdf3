/**
 * The characters of the longest match that an RE2 pattern can have, told from its syntax. Infinity
 * where a repeat has no bound, and for whatever this reader does not know: it may say too much, never
 * too little. The pattern must be one that RE2 accepts.
 */
export function matchCharsMax(regex: string): number {
  return new WidthReader(regex).read();
}

/** Of what the reader does not know. */
const unknown = Infinity;

/** `{2}`, `{2,}`, `{2,5}`; any other brace is a letter like others. */
const counted = /^\{(\d+)(?:(,)(\d*))?\}/;

class WidthReader {
  readonly #regex: string;
  #at = 0;
  #isUnknown = false;

  constructor(regex: string) {
    this.#regex = regex;
  }

  read(): number {
    const width = this.#alternatives();
    return this.#isUnknown || this.#at < this.#regex.length ? unknown : width;
  }

  #alternatives(): number {
    let width = this.#sequence();
    while (this.#take("|")) width = Math.max(width, this.#sequence());
    return width;
  }

  #sequence(): number {
    let width = 0;
    while (!this.#isUnknown && this.#at < this.#regex.length && !/^[|)]/.test(this.#rest())) {
      const atom = this.#atom();
      const times = this.#timesMax();
      width += atom === 0 ? 0 : atom * times;
    }
    return width;
  }

  #atom(): number {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#match(/^(?:[$^]|\\[bBAz])/)) return 0;
    if (this.#take("\\")) return this.#escape();
    if (/^[*+?]/.test(this.#rest()) || counted.test(this.#rest())) return this.#giveUp();
    this.#match(/^[^]/u);
    return 1;
  }

  /** Behind the opening parenthesis. */
  #group(): number {
    const opening = this.#match(/^\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?([:)]))/);
    if (opening?.[1] === ")") return 0;
    if (!opening && this.#rest().startsWith("?")) return this.#giveUp();
    const width = this.#alternatives();
    return this.#take(")") ? width : this.#giveUp();
  }

  /** Behind the opening bracket; whatever stands in it, it matches one character. */
  #class(): number {
    this.#take("^");
    for (let first = true; first || !this.#take("]"); first = false) {
      if (this.#match(/^\[:\^?\w+:\]/)) continue;
      if (this.#take("\\")) {
        if (this.#escape() !== 1) return this.#giveUp();
      } else if (!this.#match(/^[^]/u)) return this.#giveUp();
    }
    return 1;
  }

  /** Behind the backslash. */
  #escape(): number {
    const known =
      /^(?:[dDwWsSaftnrv]|[pP](?:[A-Za-z]|\{\^?[\w=]+\})|x(?:[\da-fA-F]{2}|\{[\da-fA-F]+\})|u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\})|[^\w\s])/u;
    return this.#match(known) ? 1 : this.#giveUp();
  }

  #timesMax(): number {
    const sign = this.#match(/^[*+?]/)?.[0];
    const count = sign === undefined ? this.#match(counted) : null;
    if (sign === undefined && count === null) return 1;
    this.#take("?");
    // Of two repeats in a row nobody knows what they mean together.
    if (/^[*+?]/.test(this.#rest()) || counted.test(this.#rest())) return this.#giveUp();
    if (sign !== undefined) return sign === "?" ? 1 : Infinity;
    const [, least, comma, most] = count ?? [];
    if (comma === undefined) return Number(least);
    return most === "" ? Infinity : Number(most);
  }

  #giveUp(): number {
    this.#isUnknown = true;
    return unknown;
  }

  #rest(): string {
    return this.#regex.slice(this.#at);
  }

  #take(sign: string): boolean {
    const taken = this.#regex.startsWith(sign, this.#at);
    if (taken) this.#at += sign.length;
    return taken;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.#rest());
    if (found) this.#at += found[0].length;
    return found;
  }
}
