import type { QuietContext } from "./context.ts";
import { concepts, deedCount } from "./lexicon.ts";
import { Sentences, sign } from "./sentences.ts";
import { targetKind } from "./targets.ts";

// The tags of a sentence are its concepts, and after them these.
const others = [
  "order",
  "hidden",
  "command",
  "target",
  "url",
  "email",
  "address",
  "host",
  "account",
  "query",
  "new",
  "known",
  "foreign",
  "ofUser",
  "short",
  "middling",
  "long",
  "longer",
  "asked",
  "unasked",
] as const;

const conceptCount = concepts.length;
const tagCount = conceptCount + others.length;
const tag = Object.fromEntries(others.map((name, at) => [name, conceptCount + at])) as Readonly<
  Record<(typeof others)[number], number>
>;

const pairsFrom = tagCount;
const nearFrom = pairsFrom + tagCount * tagCount;
const wordsFrom = nearFrom + conceptCount;
/** The number of clues to which words and pairs of words are hashed. */
const wordClues = 1 << 15;

/** The number of all clues. */
export const clueCount = wordsFrom + wordClues;

const deedBits = (1 << deedCount) - 1;
/** Words of a sentence that count one by one. */
const wordsMax = 80;
const cluesMax = tagCount * (tagCount + 1) + conceptCount + 2 * wordsMax;

/**
 * The clues of those sentences of a text that name a deed. Clues are concepts, targets and forms, each
 * pair of these, the concepts of the neighbouring sentences, words and pairs of words. Training and
 * runtime both read them from here. One object reads one text after the other.
 */
export class Clues {
  readonly sentences = new Sentences();
  /** The clues of one sentence, without duplicates. The first `count` entries are used. */
  readonly found = new Int32Array(cluesMax);
  count = 0;
  readonly #tags = new Int32Array(tagCount);
  readonly #seen = new Int32Array(wordClues);
  #stamp = 0;

  /** Reads UTF-8 text; false if no sentence names a deed. */
  read(utf8: Buffer): boolean {
    return this.sentences.read(utf8);
  }

  /**
   * Reads the clues of a sentence; false if it names no deed. `areForeign` is for training: the targets
   * count as if neither the user nor another sentence named them.
   */
  ofSentence(index: number, context: QuietContext, areForeign = false): boolean {
    const low = this.sentences.low[index] ?? 0;
    if ((low & deedBits) === 0) return false;
    this.count = 0;
    this.#pairs(this.#tag(index, context, areForeign));
    this.#neighbours(index);
    this.#words(index);
    return true;
  }

  /** Returns how many tags there are, in rising order. */
  #tag(index: number, context: QuietContext, areForeign: boolean): number {
    const { low, high, signs, words } = this.sentences;
    const tags = this.#tags;
    let count = this.#concepts(low[index] ?? 0, high[index] ?? 0);
    const add = (one: number): void => {
      tags[count++] = one;
    };
    const signed = signs[index] ?? 0;
    if (signed & sign.order) add(tag.order);
    if (signed & sign.hidden) add(tag.hidden);
    if (signed & sign.command) add(tag.command);
    const found = this.#targets(index, context);
    const { kinds, isOfUser } = found;
    const isNew = found.isNew || (areForeign && found.isKnown);
    const isKnown = found.isKnown && !areForeign;
    const isForeign = found.isForeign || (areForeign && isNew);
    if (kinds !== 0) {
      add(tag.target);
      if (kinds & targetKind.url) add(tag.url);
      if (kinds & targetKind.email) add(tag.email);
      if (kinds & targetKind.address) add(tag.address);
      if (kinds & targetKind.host) add(tag.host);
      if (kinds & targetKind.account) add(tag.account);
      if (kinds & targetKind.query) add(tag.query);
      if (isNew) add(tag.new);
      if (isKnown) add(tag.known);
      if (isForeign) add(tag.foreign);
      if (isOfUser) add(tag.ofUser);
    }
    const length = words[index] ?? 0;
    add(length < 8 ? tag.short : length < 16 ? tag.middling : length < 32 ? tag.long : tag.longer);
    if (context.isKnown) {
      const deeds = (low[index] ?? 0) & deedBits;
      if (deeds & context.deeds) add(tag.asked);
      if (deeds & ~context.deeds) add(tag.unasked);
    }
    return count;
  }

  #concepts(low: number, high: number): number {
    let count = 0;
    for (let at = 0; at < conceptCount; at++) {
      const bit = at < 32 ? (low >>> at) & 1 : (high >>> (at - 32)) & 1;
      if (bit === 1) this.#tags[count++] = at;
    }
    return count;
  }

  /** How the targets of a sentence relate to the rest of the text and to the user. */
  #targets(index: number, context: QuietContext): TargetTags {
    const { count, kinds, hashes, sentences } = this.sentences.targets;
    const found = { kinds: 0, isNew: false, isKnown: false, isForeign: false, isOfUser: false };
    for (let at = 0; at < count; at++) {
      if (sentences[at] !== index) continue;
      found.kinds |= kinds[at] ?? 0;
      const hash = hashes[at] ?? 0;
      if (context.names(hash)) {
        found.isOfUser = true;
        continue;
      }
      let elsewhere = false;
      let others = false;
      for (let other = 0; other < count; other++) {
        if (sentences[other] === index) continue;
        if (hashes[other] === hash) elsewhere = true;
        else others = true;
      }
      if (elsewhere) found.isKnown = true;
      else found.isNew = true;
      if (!elsewhere && others) found.isForeign = true;
    }
    return found;
  }

  /** Adds each tag, and each pair of tags. */
  #pairs(count: number): void {
    const tags = this.#tags;
    for (let at = 0; at < count; at++) {
      const first = tags[at] ?? 0;
      this.#add(first);
      const row = pairsFrom + first * tagCount;
      for (let other = at + 1; other < count; other++) this.#add(row + (tags[other] ?? 0));
    }
  }

  #neighbours(index: number): void {
    const { low, high, count } = this.sentences;
    const before = index > 0 ? index - 1 : index;
    const behind = index + 1 < count ? index + 1 : index;
    const isOwn = before === index && behind === index;
    if (isOwn) return;
    let nearLow = 0;
    let nearHigh = 0;
    for (const near of [before, behind]) {
      if (near === index) continue;
      nearLow |= low[near] ?? 0;
      nearHigh |= high[near] ?? 0;
    }
    for (let at = 0; at < conceptCount; at++) {
      const bit = at < 32 ? (nearLow >>> at) & 1 : (nearHigh >>> (at - 32)) & 1;
      if (bit === 1) this.#add(nearFrom + at);
    }
  }

  #words(index: number): void {
    const { hashes, starts } = this.sentences;
    const from = starts[index] ?? 0;
    const end = Math.min(starts[index + 1] ?? 0, from + wordsMax);
    if (++this.#stamp === 0x7fffffff) {
      this.#seen.fill(0);
      this.#stamp = 1;
    }
    let last = 0;
    for (let at = from; at < end; at++) {
      const hash = hashes[at] ?? 0;
      this.#word(hash);
      this.#word(Math.imul(last, 0x9e3779b1) ^ hash);
      last = hash;
    }
  }

  #word(hash: number): void {
    const place = (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 17) & (wordClues - 1);
    if (this.#seen[place] === this.#stamp) return;
    this.#seen[place] = this.#stamp;
    this.#add(wordsFrom + place);
  }

  #add(clue: number): void {
    if (this.count < cluesMax) this.found[this.count++] = clue;
  }
}

interface TargetTags {
  kinds: number;
  isNew: boolean;
  isKnown: boolean;
  isForeign: boolean;
  isOfUser: boolean;
}
