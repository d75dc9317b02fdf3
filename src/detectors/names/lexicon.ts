/**
 * The facts of a word in 16 bits: name lists, places, plain vocabulary. Levels go from 0 (not
 * listed) to 3 (very common in this role).
 */
export const fact = {
  given: (facts: number): number => facts & 3,
  surname: (facts: number): number => (facts >> 2) & 3,
  /** 1: small town, 2: large city or region, 3: country. */
  place: (facts: number): number => (facts >> 4) & 3,
  /** As a lower-case English word. 3: function words. */
  common: (facts: number): number => (facts >> 6) & 3,
  /** `wordClass` */
  wordClass: (facts: number): number => (facts >> 8) & 7,
  isRole: (facts: number): boolean => (facts & (1 << 11)) !== 0,
  isOrganizationWord: (facts: number): boolean => (facts & (1 << 12)) !== 0,
  isStreetWord: (facts: number): boolean => (facts & (1 << 13)) !== 0,
  /** Months, weekdays, nationalities, languages. */
  isCalendarOrNation: (facts: number): boolean => (facts & (1 << 14)) !== 0,
  /** Joins capitalized words to one name: `van`, `de`, `of`. */
  isParticle: (facts: number): boolean => (facts & (1 << 15)) !== 0,
} as const;

/** Coarse part of speech of a lower-case word. */
export const wordClass = {
  unknown: 0,
  noun: 1,
  verb: 2,
  past: 3,
  modifier: 4,
  preposition: 5,
  function: 6,
  title: 7,
} as const;

/** The name and vocabulary lists: a hash table over words, read in place from the model file. */
export class Lexicon {
  readonly #slots: Uint16Array;
  readonly #mask: number;

  /** @param slots pairs of fingerprint and facts; their number is a power of two, one is empty. */
  constructor(slots: Uint16Array) {
    this.#slots = slots;
    this.#mask = slots.length / 2 - 1;
  }

  /** The facts of a word by its hash, 0 if it is not listed. */
  look(hash: number): number {
    const mixed = mix(hash);
    const print = fingerprint(mixed);
    const slots = this.#slots;
    let slot = mixed & this.#mask;
    for (;;) {
      const found = slots[slot * 2] ?? 0;
      if (found === print) return slots[slot * 2 + 1] ?? 0;
      if (found === 0) return 0;
      slot = (slot + 1) & this.#mask;
    }
  }
}

/** The hash under which two words in a row are listed, for places such as New York. */
export function hashOfPair(first: number, second: number): number {
  return Math.imul(first ^ 0x9e3779b9, 0x85ebca6b) ^ second;
}

/** Lays out a table for `Lexicon`; training only. */
export function layOut(entries: ReadonlyMap<number, number>, slotsLog2: number): Uint16Array {
  const slots = new Uint16Array(2 << slotsLog2);
  const mask = (1 << slotsLog2) - 1;
  if (entries.size > mask * 0.8) throw new RangeError(`${entries.size} words do not fit`);
  for (const [hash, facts] of entries) {
    const mixed = mix(hash);
    let slot = mixed & mask;
    while (slots[slot * 2] !== 0) slot = (slot + 1) & mask;
    slots[slot * 2] = fingerprint(mixed);
    slots[slot * 2 + 1] = facts;
  }
  return slots;
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** The upper bits of the hash, never 0; the lower ones choose the slot. */
function fingerprint(mixed: number): number {
  return mixed >>> 16 === 0 ? 1 : mixed >>> 16;
}
