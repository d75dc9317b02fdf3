import { PatternText } from "../pattern-text.ts";

/** Properties of all matches of a pattern, derived from the pattern alone. */
export interface PatternShape {
  /** The longest match in bytes of UTF-8; Infinity if a repeat has no bound. */
  readonly bytesMax: number;
  /** The least number of ASCII digits in a match. */
  readonly digitsMin: number;
}

/**
 * Reads the RE2 syntax that detectors use. With a `group`, the shape is that of the matches in
 * which this capture group takes part. The other alternatives only skip text that is no value.
 * Throws on unknown syntax, so that a shape is never silently wrong. Letters whose other case under
 * `i` has more bytes (K, S) count as one byte.
 */
export function shapeOf(pattern: string, group = 0): PatternShape {
  const { bytesMax, digitsMin } = new ShapeReader(pattern, group).read();
  return { bytesMax, digitsMin };
}

/** The alternative of a pattern that consists only of its capture group and boundaries. */
export interface GroupAlternative {
  readonly source: string;
  /** The alternatives before it, which RE2 prefers; null if there are none. */
  readonly preferred: string | null;
}

/**
 * The alternative with the group, if the group is the whole match there. null: it is not, or the
 * pattern sets flags. Throws on unknown syntax.
 */
export function groupAlternativeOf(pattern: string, group: number): GroupAlternative | null {
  // Flags also apply to the alternatives after them.
  if (/\(\?[imsU-]+\)/.test(pattern)) return null;
  const reader = new ShapeReader(pattern, group);
  reader.read();
  const { alternatives } = reader;
  const index = alternatives.findIndex(({ part }) => part.isGroup);
  const found = alternatives[index];
  if (!found) return null;
  const preferred = alternatives.slice(0, index).map(({ source }) => source);
  return { source: found.source, preferred: index === 0 ? null : preferred.join("|") };
}

/** A part of the pattern. */
interface Part extends PatternShape {
  readonly hasGroup: boolean;
  /** True if the group matches exactly what the part matches. */
  readonly isGroup: boolean;
}

const nothing: Part = { bytesMax: 0, digitsMin: 0, hasGroup: false, isGroup: false };
const digit: Part = { bytesMax: 1, digitsMin: 1, hasGroup: false, isGroup: false };
const asciiCharacter: Part = { bytesMax: 1, digitsMin: 0, hasGroup: false, isGroup: false };
const anyCharacter: Part = { bytesMax: 4, digitsMin: 0, hasGroup: false, isGroup: false };

class ShapeReader {
  readonly #text: PatternText;
  readonly #group: number;
  readonly #alternativesRead: { source: string; part: Part }[] = [];
  #groupsOpened = 0;

  constructor(pattern: string, group: number) {
    this.#text = new PatternText(pattern);
    this.#group = group;
  }

  /** The top-level alternatives of the pattern, after it was read. */
  get alternatives(): readonly { readonly source: string; readonly part: Part }[] {
    return this.#alternativesRead;
  }

  read(): Part {
    const shape = this.#alternatives((source, part) =>
      this.#alternativesRead.push({ source, part }),
    );
    if (!this.#text.isOver) throw this.#unknown();
    return shape;
  }

  #alternatives(read: (source: string, part: Part) => void = () => undefined): Part {
    const parts: Part[] = [];
    do {
      const from = this.#text.at;
      const part = this.#sequence();
      parts.push(part);
      read(this.#text.source.slice(from, this.#text.at), part);
    } while (this.#text.take("|"));
    const withGroup = parts.filter(({ hasGroup }) => hasGroup);
    const joined = (withGroup.length > 0 ? withGroup : parts).reduce(either);
    return { ...joined, isGroup: parts.every(({ isGroup }) => isGroup) };
  }

  #sequence(): Part {
    let sequence = nothing;
    while (!this.#text.isOver && !/^[|)]/.test(this.#text.rest)) {
      const atom = this.#atom();
      const { min, max } = this.#repeat();
      const isNothing = atom.bytesMax === 0;
      sequence = {
        bytesMax: sequence.bytesMax + (isNothing ? 0 : atom.bytesMax * max),
        digitsMin: sequence.digitsMin + atom.digitsMin * min,
        hasGroup: sequence.hasGroup || atom.hasGroup,
        isGroup: isNothing
          ? sequence.isGroup
          : atom.isGroup && sequence.bytesMax === 0 && min === 1 && max === 1,
      };
    }
    return sequence;
  }

  #atom(): Part {
    if (this.#text.take("(")) return this.#parenthesis();
    if (this.#text.take("[")) return this.#class();
    if (this.#text.match(/^[$^]|^\\[bBAz]/)) return nothing;
    if (this.#text.take(".")) return anyCharacter;
    if (this.#text.match(/^[*+?{]/)) throw this.#unknown();
    return this.#character();
  }

  /** Reads a parenthesis after its opening sign. */
  #parenthesis(): Part {
    const opening = this.#text.match(/^\?(?:P?<\w+>|[imsU-]*([:)]))/);
    if (!opening && this.#text.rest.startsWith("?")) throw this.#unknown();
    if (opening?.[1] === ")") return nothing;
    const isCaptured = opening?.[1] === undefined;
    if (isCaptured) this.#groupsOpened += 1;
    const isTheGroup = isCaptured && this.#groupsOpened === this.#group;
    const inside = this.#alternatives();
    if (!this.#text.take(")")) throw this.#unknown();
    return {
      ...inside,
      hasGroup: inside.hasGroup || isTheGroup,
      isGroup: inside.isGroup || isTheGroup,
    };
  }

  /** Reads a character class after its opening bracket. */
  #class(): Part {
    let shape: Part | null = this.#text.take("^") ? anyCharacter : null;
    for (let first = true; first || !this.#text.take("]"); first = false) {
      const named = this.#text.match(/^\[:(\^?)(\w+):\]/);
      const member = named ? posixClass(named[1] !== "", named[2]) : this.#character();
      // A range such as 0-9 or A-Z: its ends and all characters between them are members.
      shape = shape === null ? member : either(shape, member);
      this.#text.match(/^-(?!\])/);
    }
    return shape ?? nothing;
  }

  #character(): Part {
    const escape = this.#text.match(
      /^\\(?:[xu]\{([\da-fA-F]+)\}|x([\da-fA-F]{2})|u([\da-fA-F]{4}))/,
    );
    if (escape) return codePoint(Number.parseInt(escape[1] ?? escape[2] ?? escape[3] ?? "", 16));
    if (this.#text.match(/^\\d/)) return digit;
    if (this.#text.match(/^\\[wsnrtfv]/)) return asciiCharacter;
    if (this.#text.match(/^\\[DWS]|^\\[pP](?:[A-Z]|\{\^?\w+\})/)) return anyCharacter;
    if (this.#text.match(/^\\[^\w]/)) return asciiCharacter;
    const literal = this.#text.match(/^[^\\]/u);
    if (!literal) throw this.#unknown();
    return codePoint(literal[0].codePointAt(0) ?? 0);
  }

  #repeat(): { min: number; max: number } {
    const found = this.#text.match(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (!found) return { min: 1, max: 1 };
    const [, sign, least, comma, most] = found;
    if (sign !== undefined) return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    const min = Number(least);
    return { min, max: comma === "" ? min : most === "" ? Infinity : Number(most) };
  }

  #unknown(): Error {
    return new Error(`not understood at ${this.#text.at} in the pattern ${this.#text.source}`);
  }
}

function either(a: Part, b: Part): Part {
  return {
    bytesMax: Math.max(a.bytesMax, b.bytesMax),
    digitsMin: Math.min(a.digitsMin, b.digitsMin),
    hasGroup: a.hasGroup || b.hasGroup,
    isGroup: a.isGroup && b.isGroup,
  };
}

function posixClass(negated: boolean, name: string | undefined): Part {
  return negated ? anyCharacter : name === "digit" ? digit : asciiCharacter;
}

function codePoint(code: number): Part {
  if (code >= 0x30 && code <= 0x39) return digit;
  return code < 0x80 ? asciiCharacter : anyCharacter;
}
