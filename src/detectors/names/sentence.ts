import { nameWindowUnits } from "../../contract/limits.ts";
import { fact, hashOfPair, type Lexicon, wordClass } from "./lexicon.ts";
import { dropSyntax } from "./syntax.ts";
import { gap, shape, type NameTokens } from "./tokens.ts";

/** How a line of text is written; capitals mean little in a heading or in German. */
const prose = { unknown: 0, english: 1, otherLanguage: 2, title: 3, shouting: 4 } as const;

/** Lower-case words between capitalized ones that one name may hold: van der, de la, of the. */
const particlesMax = 3;
/** Shorter words in lower case are more often identifiers and abbreviations than names. */
const lowerCaseNameMin = 4;

/**
 * What is known about a window's tokens before any is labelled: the facts of each, which of them
 * may be part of a name (candidates), the runs of candidates, and how each line is written. Only
 * candidates are labelled. In prose that is one word in six.
 */
export class Sentence {
  readonly tokens: NameTokens;
  readonly facts = new Uint16Array(nameWindowUnits);
  readonly candidate = new Uint8Array(nameWindowUnits);
  /** First token of the run of candidates around a candidate, and the token after its last. */
  readonly runStart = new Int32Array(nameWindowUnits);
  readonly runEnd = new Int32Array(nameWindowUnits);
  /** Which lists contain words of the run around a candidate: see `runListsOf`. */
  readonly runLists = new Uint8Array(nameWindowUnits);
  readonly prose = new Uint8Array(nameWindowUnits);
  readonly #lexicon: Lexicon;

  constructor(tokens: NameTokens, lexicon: Lexicon) {
    this.tokens = tokens;
    this.#lexicon = lexicon;
  }

  /** Reads the current content of `tokens`. */
  read(): void {
    this.lookUp();
    this.#markWords();
    dropSyntax(this.tokens, this.candidate);
    this.#markJoined();
    this.#markNumbers();
    this.#findRuns();
    this.#judgeLines();
  }

  /** Fills `facts`. */
  lookUp(): void {
    const { tokens, facts } = this;
    for (let i = 0; i < tokens.count; i++) {
      const form = tokens.shape[i] ?? 0;
      facts[i] = form === shape.punctuation ? 0 : this.#lexicon.look(tokens.hash[i] ?? 0);
    }
  }

  /** The facts of two words in a row. */
  pair(first: number): number {
    if (first < 0 || first + 1 >= this.tokens.count) return 0;
    if ((this.tokens.gap[first + 1] ?? 0) > gap.space) return 0;
    const { hash } = this.tokens;
    return this.#lexicon.look(hashOfPair(hash[first] ?? 0, hash[first + 1] ?? 0));
  }

  #markWords(): void {
    for (let i = 0; i < this.tokens.count; i++) {
      this.candidate[i] = this.#mayName(i) && !this.#insideCode(i) ? 1 : 0;
    }
  }

  #mayName(i: number): boolean {
    const { tokens } = this;
    const known = this.facts[i] ?? 0;
    switch (tokens.shape[i]) {
      case shape.capitalized:
      case shape.allCapitals:
      case shape.initial:
        return true;
      case shape.mixed:
        return fact.isOrganizationWord(known);
      case shape.lower: {
        const length = (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
        return length >= lowerCaseNameMin && lowerCaseName(known);
      }
      default:
        return false;
    }
  }

  /** Part of an e-mail address, a path, a call, a qualified name: text that a machine reads. */
  #insideCode(i: number): boolean {
    return this.#gluedToCodeBefore(i) || this.#gluedToCodeAfter(i);
  }

  #gluedToCodeBefore(i: number): boolean {
    const { tokens } = this;
    if (i === 0 || tokens.gap[i] !== gap.none) return false;
    if (tokens.shape[i - 1] !== shape.punctuation) return tokens.shape[i - 1] !== shape.uncased;
    const before = tokens.hash[i - 1] ?? 0;
    if (before !== dot) return codeBefore.has(before);
    // `J.R. Smith` and `St.Louis` are names, `Foo.Bar` is not.
    return i > 1 && tokens.gap[i - 1] === gap.none && !abbreviation(tokens, i - 2);
  }

  #gluedToCodeAfter(i: number): boolean {
    const { tokens } = this;
    if (i + 1 >= tokens.count || tokens.gap[i + 1] !== gap.none) return false;
    const after = tokens.hash[i + 1] ?? 0;
    if (codeAfter.has(after)) return true;
    if (i + 2 >= tokens.count || tokens.gap[i + 2] !== gap.none) return false;
    if (after === colon) return tokens.hash[i + 2] === colon;
    const next = tokens.shape[i + 2] ?? 0;
    return after === dot && identifierShapes.has(next);
  }

  #markJoined(): void {
    const { tokens, facts, candidate } = this;
    for (let i = tokens.count - 2; i >= 0; i--) {
      if (candidate[i] === 1 || tokens.shape[i] !== shape.lower) continue;
      if (candidate[i + 1] === 0 || (tokens.gap[i + 1] ?? 0) > gap.space) continue;
      const known = facts[i] ?? 0;
      if (fact.isStreetWord(known)) candidate[i] = 1;
      else if (fact.isParticle(known) && this.#particleRun(i) <= particlesMax) candidate[i] = 1;
    }
    for (let i = 1; i < tokens.count; i++) {
      if (candidate[i] === 1 || tokens.shape[i] !== shape.lower) continue;
      if (candidate[i - 1] === 1 && fact.isStreetWord(facts[i] ?? 0)) candidate[i] = 1;
    }
  }

  /** After the last token, the arrays hold tokens of an earlier window, which do not count. */
  #particleRun(from: number): number {
    const { shape: form, count } = this.tokens;
    const most = Math.min(particlesMax + 1, count - from);
    let length = 1;
    while (length < most && form[from + length] === shape.lower) length++;
    return length;
  }

  #markNumbers(): void {
    const { tokens, candidate } = this;
    for (let i = 0; i < tokens.count; i++) {
      const form = tokens.shape[i];
      if (form !== shape.number && form !== shape.identifier) continue;
      if ((tokens.end[i] ?? 0) - (tokens.start[i] ?? 0) > 6) continue;
      candidate[i] = this.#besideWord(i) ? 1 : 0;
    }
  }

  #besideWord(i: number): boolean {
    const { tokens, candidate } = this;
    const wordAt = (j: number): boolean =>
      j >= 0 && j < tokens.count && candidate[j] === 1 && tokens.shape[j] !== shape.number;
    if (wordAt(i - 1) || wordAt(i + 1)) return true;
    if (addressPunctuation.has(tokens.hash[i - 1] ?? 0) && wordAt(i - 2)) return true;
    return addressPunctuation.has(tokens.hash[i + 1] ?? 0) && wordAt(i + 2);
  }

  #findRuns(): void {
    const { tokens, candidate, runStart, runEnd } = this;
    for (let i = 0; i < tokens.count;) {
      if (candidate[i] === 0) {
        i++;
        continue;
      }
      let end = i + 1;
      let lists = runListsOf(this.facts[i] ?? 0);
      for (; end < tokens.count && candidate[end] === 1; end++) {
        if ((tokens.gap[end] ?? 0) > gap.space) break;
        lists |= runListsOf(this.facts[end] ?? 0);
      }
      runStart.fill(i, i, end);
      runEnd.fill(end, i, end);
      this.runLists.fill(lists, i, end);
      i = end;
    }
  }

  #judgeLines(): void {
    const { tokens } = this;
    for (let from = 0; from < tokens.count;) {
      let to = from + 1;
      while (to < tokens.count && (tokens.gap[to] ?? 0) < gap.line) to++;
      this.prose.fill(this.#judge(from, to), from, to);
      from = to;
    }
  }

  #judge(from: number, to: number): number {
    const { tokens, facts } = this;
    let lowers = 0;
    let english = 0;
    let capitals = 0;
    let shouted = 0;
    for (let i = from; i < to; i++) {
      const form = tokens.shape[i];
      if (form === shape.lower) {
        lowers++;
        if (fact.common(facts[i] ?? 0) >= 2) english++;
      } else if (form === shape.capitalized) capitals++;
      else if (form === shape.allCapitals) shouted++;
    }
    if (shouted > 3 && shouted > lowers + capitals) return prose.shouting;
    if (capitals > 3 && capitals > lowers * 2) return prose.title;
    if (lowers < 2) return prose.unknown;
    return english * 2 >= lowers ? prose.english : prose.otherLanguage;
  }
}

function runListsOf(facts: number): number {
  return (
    (fact.given(facts) > 1 ? 1 : 0) |
    (fact.place(facts) > 1 ? 2 : 0) |
    (fact.isOrganizationWord(facts) ? 4 : 0) |
    (fact.isStreetWord(facts) ? 8 : 0) |
    (fact.isRole(facts) ? 16 : 0) |
    (fact.surname(facts) > 1 ? 32 : 0)
  );
}

/** A lower-case word that is nearly always a name. */
function lowerCaseName(facts: number): boolean {
  if (fact.common(facts) > 0 || fact.wordClass(facts) !== wordClass.unknown) return false;
  if (fact.isCalendarOrNation(facts)) return false;
  return fact.given(facts) >= 2 || fact.place(facts) >= 2 || fact.surname(facts) >= 3;
}

/** A single capital, or a short word after a space. A dot may join it to a name. */
function abbreviation(tokens: NameTokens, i: number): boolean {
  if (tokens.shape[i] === shape.initial) return true;
  const length = (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
  return tokens.shape[i] === shape.capitalized && length <= 4 && tokens.gap[i] !== gap.none;
}

const units = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));
const dot = 0x2e;
const colon = 0x3a;
const identifierShapes: ReadonlySet<number> = new Set([shape.lower, shape.identifier, shape.mixed]);
const codeBefore = units("@#$_\\/~%");
const codeAfter = units("@_(=[{\\$%~");
const addressPunctuation = units(",.-#");
