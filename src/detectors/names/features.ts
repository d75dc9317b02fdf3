import { foldedCharacter } from "./characters.ts";
import { fact } from "./lexicon.ts";
import type { Sentence } from "./sentence.ts";
import { template } from "./templates.ts";
import { gap, shape } from "./tokens.ts";

/** The most features of one token. */
export const featuresMax = 72;

/**
 * Describes candidates by hashed features: their spelling, facts, neighbours, and the run of
 * candidates around them. `text` is what the sentence's offsets refer to.
 */
export class NameFeatures {
  /** The features of the last candidate, full 32-bit hashes. */
  readonly hashes = new Int32Array(featuresMax);
  /** Which template each comes from. */
  readonly templates = new Uint8Array(featuresMax);
  count = 0;
  readonly #sentence: Sentence;

  constructor(sentence: Sentence) {
    this.#sentence = sentence;
  }

  describe(text: string, i: number): void {
    this.count = 0;
    this.#spelling(text, i);
    this.#facts(i);
    this.#neighbours(i);
    this.#run(i);
  }

  #add(kind: number, value: number): void {
    this.hashes[this.count] = spread(kind, value);
    this.templates[this.count++] = kind;
  }

  #spelling(text: string, i: number): void {
    const { tokens } = this.#sentence;
    const form = tokens.shape[i] ?? 0;
    const start = tokens.start[i] ?? 0;
    const end = tokens.end[i] ?? 0;
    const length = Math.min(end - start, 12);
    const opening = this.#opening(i);
    this.#add(template.bias, 0);
    this.#add(template.word, both(tokens.hash[i] ?? 0, form === shape.lower ? 1 : 0));
    this.#add(template.shape, both(form, length));
    this.#add(template.shapeOpening, both(form, opening));
    const line = this.#sentence.prose[i] ?? 0;
    this.#add(template.shapeProse, both(both(form, line), opening));
    if (form === shape.number || form === shape.identifier) {
      this.#add(template.numberPlace, both(length, both(tokens.gap[i] ?? 0, this.#linePlace(i))));
      return;
    }
    const a = folded(text, end - 1);
    const b = length > 1 ? folded(text, end - 2) : 0;
    const c = length > 2 ? folded(text, end - 3) : 0;
    const d = length > 3 ? folded(text, end - 4) : 0;
    this.#add(template.suffix1, a);
    this.#add(template.suffix2, both(a, b));
    this.#add(template.suffix3, both(both(a, b), c));
    this.#add(template.suffix4, both(both(a, b), both(c, d)));
    const e = folded(text, start);
    const f = length > 1 ? folded(text, start + 1) : 0;
    const g = length > 2 ? folded(text, start + 2) : 0;
    this.#add(template.prefix2, both(e, f));
    this.#add(template.prefix3, both(both(e, f), g));
  }

  #facts(i: number): void {
    const { tokens, facts } = this.#sentence;
    const known = facts[i] ?? 0;
    const form = tokens.shape[i] ?? 0;
    const opening = this.#opening(i);
    const line = this.#sentence.prose[i] ?? 0;
    this.#add(template.facts, known);
    this.#add(template.lists, both(known & listsMask, both(form, opening)));
    this.#add(template.given, both(fact.given(known), both(form, line)));
    this.#add(template.surname, both(fact.surname(known), both(form, line)));
    this.#add(template.place, both(fact.place(known), both(form, line)));
    this.#add(template.common, both(fact.common(known), both(opening, line)));
    this.#add(template.wordClass, both(known >> 6, opening));
    this.#add(template.pairNext, fact.place(this.#sentence.pair(i)));
    this.#add(template.pairBefore, fact.place(this.#sentence.pair(i - 1)));
  }

  #neighbours(i: number): void {
    const { facts } = this.#sentence;
    const own = (facts[i] ?? 0) & listsMask;
    const before = this.#word(i - 1);
    const next = this.#word(i + 1);
    const factsBefore = this.#known(i - 1);
    const factsNext = this.#known(i + 1);
    this.#add(template.before, before);
    this.#add(template.before2, this.#word(i - 2));
    this.#add(template.next, next);
    this.#add(template.next2, this.#word(i + 2));
    this.#add(template.listsBefore, both(own, before));
    this.#add(template.listsNext, both(own, next));
    this.#add(template.factsBefore, factsBefore);
    this.#add(template.factsNext, factsNext);
    this.#add(template.ownFactsBefore, both(own, factsBefore & listsMask));
    this.#add(template.ownFactsNext, both(own, factsNext & listsMask));
    this.#add(template.around, both(before, next));
    this.#add(template.linePlace, both(this.#linePlace(i), own));
  }

  /** The tokens left and right of the whole run of candidates. */
  #run(i: number): void {
    const { tokens, facts, runStart, runEnd, runLists } = this.#sentence;
    const from = runStart[i] ?? i;
    const to = runEnd[i] ?? i + 1;
    const length = Math.min(to - from, 5);
    const position = both(Math.min(i - from, 4), Math.min(to - i, 4));
    const own = (facts[i] ?? 0) & listsMask;
    const left = this.#word(from - 1);
    const right = this.#word(to);
    const seen = runLists[i] ?? 0;
    this.#add(template.runPosition, both(position, length));
    this.#add(template.runSeen, both(seen, position));
    this.#add(template.runSeenOwn, both(seen, own));
    this.#add(template.runFirst, both(tokens.hash[from] ?? 0, length));
    this.#add(template.runLast, both(tokens.hash[to - 1] ?? 0, length));
    this.#add(template.left, left);
    this.#add(template.left2, both(left, this.#word(from - 2)));
    this.#add(template.leftSecond, this.#word(from - 2));
    this.#add(template.leftOwn, both(left, own));
    this.#add(template.right, right);
    this.#add(template.right2, both(right, this.#word(to + 1)));
    this.#add(template.rightOwn, both(right, own));
    this.#add(template.leftFacts, both(this.#known(from - 1), seen));
    this.#add(template.rightFacts, both(this.#known(to), seen));
    this.#add(template.rightClass, both(this.#known(to) >> 6, both(this.#opening(from), length)));
    this.#add(template.bothSides, both(this.#known(from - 1) >> 6, this.#known(to) >> 6));
    this.#key(from, own, seen);
  }

  /** The nearest word before the run, over punctuation: `"city": "Oslo"`, `Name: Oslo`. */
  #key(from: number, own: number, seen: number): void {
    const { tokens } = this.#sentence;
    let at = from - 1;
    for (let steps = 0; steps < 5 && tokens.shape[at] === shape.punctuation; steps++) at--;
    const key = this.#word(at);
    const distance = from - at;
    const second = this.#word(at - 1);
    this.#add(template.key, both(key, Math.min(distance, 3)));
    this.#add(template.keyOwn, both(key, own));
    this.#add(template.keySeen, both(key, seen));
    this.#add(template.keySecond, both(second, key));
    this.#add(template.keyFacts, both(this.#known(at), Math.min(distance, 3)));
  }

  /**
   * 0 inside a sentence; otherwise a number for what stands before it: line start, sentence end,
   * quote, bullet.
   */
  #opening(i: number): number {
    const { tokens } = this.#sentence;
    if (i === 0) return 1;
    const between = tokens.gap[i] ?? 0;
    if (between >= gap.line) return between;
    if (tokens.shape[i - 1] !== shape.punctuation) return 0;
    switch (tokens.hash[i - 1]) {
      case 0x2e:
        return tokens.shape[i - 2] === shape.initial ? 0 : 5;
      case 0x21:
      case 0x3f:
      case 0x2026:
        return 5;
      case 0x22:
      case 0x27:
      case 0x201c:
      case 0x201e:
      case 0xab:
        return between === gap.none ? 6 : 0;
      case 0x3a:
        return 7;
      case 0x2d:
      case 0x2a:
      case 0x2022:
      case 0x3e:
        return i === 1 || (tokens.gap[i - 1] ?? 0) >= gap.line ? 1 : 0;
      default:
        return 0;
    }
  }

  /** Whether a line begins before the token or ends after it. */
  #linePlace(i: number): number {
    const { tokens } = this.#sentence;
    const begins = i === 0 || (tokens.gap[i] ?? 0) >= gap.wide ? 1 : 0;
    const ends = i + 1 >= tokens.count || (tokens.gap[i + 1] ?? 0) >= gap.wide ? 2 : 0;
    return begins | ends;
  }

  #word(i: number): number {
    const { tokens } = this.#sentence;
    if (i < 0) return 1;
    if (i >= tokens.count) return 2;
    const form = tokens.shape[i];
    // All numbers of the same length are the same word.
    if (form === shape.number)
      return 3 + Math.min((tokens.end[i] ?? 0) - (tokens.start[i] ?? 0), 9);
    return tokens.hash[i] ?? 0;
  }

  /** Facts of a neighbour with its shape. They help most if the word itself is unknown. */
  #known(i: number): number {
    const { tokens, facts } = this.#sentence;
    if (i < 0 || i >= tokens.count) return 0;
    return ((tokens.shape[i] ?? 0) << 16) | (facts[i] ?? 0);
  }
}

/** Levels of the name and place lists and of the vocabulary. */
const listsMask = 0xff;

function folded(text: string, at: number): number {
  return foldedCharacter[text.charCodeAt(at)] ?? 0;
}

function both(a: number, b: number): number {
  return Math.imul(a + 0x3779b9, 0x9e3779b1) ^ (b + 0x165667b1 + (a << 6));
}

function spread(kind: number, value: number): number {
  let hash = Math.imul(value ^ Math.imul(kind, 0x27d4eb2f), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
