/** What every match of a pattern has in common, told from the pattern alone. */
export interface PatternShape {
  /** No match is longer, in bytes of UTF-8; Infinity where a repeat has no bound. */
  readonly bytesMax: number;
  /** Every match holds at least so many ASCII digits. */
  readonly digitsMin: number;
}

/**
 * Reads RE2 syntax as far as detectors use it. Throws on what it doesn't know, so that a shape is
 * never wrong in silence. Letters that fold to longer ones under `i` (K, S) are taken as one byte.
 */
export function shapeOf(pattern: string): PatternShape {
  return new ShapeReader(pattern).read();
}

const nothing: PatternShape = { bytesMax: 0, digitsMin: 0 };
const digit: PatternShape = { bytesMax: 1, digitsMin: 1 };
const asciiCharacter: PatternShape = { bytesMax: 1, digitsMin: 0 };
const anyCharacter: PatternShape = { bytesMax: 4, digitsMin: 0 };

class ShapeReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): PatternShape {
    const shape = this.#alternatives();
    if (this.#at < this.#pattern.length) throw this.#unknown();
    return shape;
  }

  #alternatives(): PatternShape {
    let shape = this.#sequence();
    while (this.#take("|")) {
      const other = this.#sequence();
      shape = {
        bytesMax: Math.max(shape.bytesMax, other.bytesMax),
        digitsMin: Math.min(shape.digitsMin, other.digitsMin),
      };
    }
    return shape;
  }

  #sequence(): PatternShape {
    let bytesMax = 0;
    let digitsMin = 0;
    while (this.#at < this.#pattern.length && !/^[|)]/.test(this.#rest())) {
      const atom = this.#atom();
      const { min, max } = this.#repeat();
      bytesMax += atom.bytesMax === 0 ? 0 : atom.bytesMax * max;
      digitsMin += atom.digitsMin * min;
    }
    return { bytesMax, digitsMin };
  }

  #atom(): PatternShape {
    if (this.#take("(")) {
      const opening = this.#match(/^\?(?:P?<\w+>|[imsU-]*([:)]))/);
      if (!opening && this.#rest().startsWith("?")) throw this.#unknown();
      if (opening?.[1] === ")") return nothing;
      const shape = this.#alternatives();
      if (!this.#take(")")) throw this.#unknown();
      return shape;
    }
    if (this.#take("[")) return this.#class();
    if (this.#match(/^[$^]|^\\[bBAz]/)) return nothing;
    if (this.#take(".")) return anyCharacter;
    if (this.#match(/^[*+?{]/)) throw this.#unknown();
    return this.#character();
  }

  /** What stands between brackets; the opening one is read. */
  #class(): PatternShape {
    let shape: PatternShape | null = this.#take("^") ? anyCharacter : null;
    for (let first = true; first || !this.#take("]"); first = false) {
      const named = this.#match(/^\[:(\^?)(\w+):\]/);
      const member = named ? posixClass(named[1] !== "", named[2]) : this.#character();
      // A range such as 0-9 or A-Z: both of its ends are members, and so is what lies between.
      shape = shape === null ? member : eitherCharacter(shape, member);
      this.#match(/^-(?!\])/);
    }
    return shape ?? nothing;
  }

  #character(): PatternShape {
    const escape = this.#match(/^\\(?:[xu]\{([\da-fA-F]+)\}|x([\da-fA-F]{2})|u([\da-fA-F]{4}))/);
    if (escape) return codePoint(Number.parseInt(escape[1] ?? escape[2] ?? escape[3] ?? "", 16));
    if (this.#match(/^\\d/)) return digit;
    if (this.#match(/^\\[wsnrtfv]/)) return asciiCharacter;
    if (this.#match(/^\\[DWS]|^\\[pP](?:[A-Z]|\{\^?\w+\})/)) return anyCharacter;
    if (this.#match(/^\\[^\w]/)) return asciiCharacter;
    const literal = this.#match(/^[^\\]/u);
    if (!literal) throw this.#unknown();
    return codePoint(literal[0].codePointAt(0) ?? 0);
  }

  #repeat(): { min: number; max: number } {
    const found = this.#match(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (!found) return { min: 1, max: 1 };
    const [, sign, least, comma, most] = found;
    if (sign !== undefined) return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    const min = Number(least);
    return { min, max: comma === "" ? min : most === "" ? Infinity : Number(most) };
  }

  #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #take(sign: string): boolean {
    const taken = this.#pattern.startsWith(sign, this.#at);
    if (taken) this.#at += sign.length;
    return taken;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.#rest());
    if (found) this.#at += found[0].length;
    return found;
  }

  #unknown(): Error {
    return new Error(`not understood at ${this.#at} in the pattern ${this.#pattern}`);
  }
}

function eitherCharacter(a: PatternShape, b: PatternShape): PatternShape {
  return {
    bytesMax: Math.max(a.bytesMax, b.bytesMax),
    digitsMin: Math.min(a.digitsMin, b.digitsMin),
  };
}

function posixClass(negated: boolean, name: string | undefined): PatternShape {
  return negated ? anyCharacter : name === "digit" ? digit : asciiCharacter;
}

function codePoint(code: number): PatternShape {
  if (code >= 0x30 && code <= 0x39) return digit;
  return code < 0x80 ? asciiCharacter : anyCharacter;
}
