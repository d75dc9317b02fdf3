import type { EntityMatch } from "../entity.ts";
import { label, labelsCount, link } from "./labels.ts";
import { fact } from "./lexicon.ts";
import type { Sentence } from "./sentence.ts";
import { gap, hashOfWord, shape, type NameTokens } from "./tokens.ts";
import type { Tagger } from "./tagger.ts";

/** Matches below this score are noise to every caller. */
const scoreMin = 0.35;

/** The most words of a match, by label. A longer run is a list, or no prose. */
const wordsMax = [0, 8, 8, 14, 40];

/** Words that announce the number of a person, an account or a thing. They are not names. */
const numberNames: ReadonlySet<number> = new Set(
  (
    "aba abn acn bban bic bin bsb bsn cnpj cpf cpr cuil cuit curp cvc cvv dni dob ein iban icd ico " +
    "imei imsi isbn issn isin itin kvnr mrn ndc nhi nie nif nino nir npi oib pesel pin pnr rfc " +
    "sin ssn tfn tin uen upc uuid vin"
  )
    .split(" ")
    .map(hashOfWord),
);

type Detector = EntityMatch["detector"];
const person: Detector = { entityType: "PERSON", label: "PERSON", category: "pii" };
const location: Detector = { entityType: "LOCATION", label: "LOCATION", category: "pii" };
const organization: Detector = {
  entityType: "ORGANIZATION",
  label: "ORGANIZATION",
  category: "pii",
};
const detectorOf = [undefined, person, location, organization, location];

/** Joins the labelled candidates of a window to matches and appends them to `matches`. */
export function collect(sentence: Sentence, tagger: Tagger, matches: EntityMatch[]): void {
  for (let from = 0; from < tagger.count;) {
    const detector = detectorOf[tagger.label[from] ?? 0];
    if (detector === undefined) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < tagger.count && joins(sentence, tagger, from, to)) to++;
    const match = matchOf(sentence, tagger, detector, from, to);
    if (match !== undefined) matches.push(match);
    from = to;
  }
}

/** Whether candidate `next` belongs to the same match as the one before it. */
function joins(sentence: Sentence, tagger: Tagger, from: number, next: number): boolean {
  const before = tagger.label[next - 1] ?? 0;
  const after = tagger.label[next] ?? 0;
  const how = tagger.link[next];
  if (how === link.apart || detectorOf[before] !== detectorOf[after]) return false;
  const isAddress = [before, after, tagger.label[from]].includes(label.address);
  if (next - from >= (wordsMax[isAddress ? label.address : after] ?? 0)) return false;
  if (how === link.dot) return abbreviated(sentence, tagger.token[next - 1] ?? 0);
  if (isAddress) return true;
  switch (how) {
    case link.next:
      return sentence.tokens.gap[tagger.token[next] ?? 0] !== gap.wide;
    case link.hyphen:
    case link.apostrophe:
      return true;
    case link.ampersand:
      return before === label.organization;
    default:
      return false;
  }
}

/** `J`, `Jr`, `Blvd`: a dot after it ends no sentence. */
function abbreviated({ tokens, facts }: Sentence, i: number): boolean {
  if (tokens.shape[i] === shape.initial || fact.isStreetWord(facts[i] ?? 0)) return true;
  const length = (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
  return tokens.shape[i] === shape.capitalized && length <= 3;
}

function matchOf(
  sentence: Sentence,
  tagger: Tagger,
  detector: Detector,
  from: number,
  to: number,
): EntityMatch | undefined {
  const { tokens, facts } = sentence;
  let first = from;
  let last = to - 1;
  while (last > first && looseNumber(sentence, tagger, last, tagger.link[last])) last--;
  while (last > first && looseNumber(sentence, tagger, first, tagger.link[first + 1])) first++;
  const joint = (at: number): boolean => {
    const i = tagger.token[at] ?? 0;
    return tokens.shape[i] === shape.lower && fact.isParticle(facts[i] ?? 0);
  };
  while (last > first && joint(last)) last--;
  if (joint(last) || !holdsWord(sentence, tagger, first, last)) return undefined;
  if (first === last && isNumberName(sentence, tagger.token[last] ?? 0)) return undefined;
  if (detector === location && isNumbered(sentence, tagger, first, last)) return undefined;
  let score = 0;
  for (let at = first; at <= last; at++) score += probabilityOf(tagger, at);
  score /= last - first + 1;
  if (score < scoreMin) return undefined;
  const start = tokens.start[tagger.token[first] ?? 0] ?? 0;
  const end = tokens.end[tagger.token[last] ?? 0] ?? 0;
  return { detector, start, end, score: Math.round(score * 100) / 100 };
}

/** Whether the token is a word such as `IBAN` in capitals. Names are seldom written so. */
function isNumberName({ tokens }: Sentence, i: number): boolean {
  return tokens.shape[i] === shape.allCapitals && numberNames.has(tokens.hash[i] ?? 0);
}

/**
 * One abbreviation with numbers, as `BP 152`, `ISBN 978` and `201284 S 441`. Two capitals with four or
 * five digits are a state or a country and its postal code.
 */
function isNumbered({ tokens }: Sentence, tagger: Tagger, first: number, last: number): boolean {
  let letters = 0;
  let digits = 0;
  for (let at = first; at <= last; at++) {
    const i = tagger.token[at] ?? 0;
    const form = tokens.shape[i];
    const length = (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
    if (form === shape.number) digits = length;
    else if (form !== shape.identifier) {
      if (letters > 0 || !isAbbreviation(form, length)) return false;
      letters = form === shape.capitalized ? 1 : length;
    }
  }
  return first < last && letters > 0 && !(letters === 2 && (digits === 4 || digits === 5));
}

/** `BP`, `K`, `Na` */
function isAbbreviation(form: number | undefined, length: number): boolean {
  if (form === shape.capitalized) return length <= 2;
  return form === shape.allCapitals || form === shape.initial;
}

/**
 * Whether the match has a word. A single letter or numbers alone, such as `2025-00318`, name
 * nobody.
 */
function holdsWord({ tokens }: Sentence, tagger: Tagger, first: number, last: number): boolean {
  for (let at = first; at <= last; at++) {
    const form = tokens.shape[tagger.token[at] ?? 0];
    if (form !== shape.number && (first < last || form !== shape.initial)) return true;
  }
  return false;
}

/**
 * Whether a number at the edge of a match does not belong to it. A comma may separate it from the
 * rest: then it is a table's next cell and no postal code. Or it is the last group of another
 * number: `212-664-7665 New York`.
 */
function looseNumber({ tokens }: Sentence, tagger: Tagger, at: number, how?: number): boolean {
  const i = tagger.token[at] ?? 0;
  if (tokens.shape[i] !== shape.number) return false;
  return how === link.comma || endsNumber(tokens, i);
}

function endsNumber({ shape: form, hash, gap: before }: NameTokens, i: number): boolean {
  const isGroup = (at: number): boolean =>
    hash[at] === hyphen &&
    form[at - 1] === shape.number &&
    before[at] === gap.none &&
    before[at + 1] === gap.none;
  return i > 3 && isGroup(i - 1) && isGroup(i - 3);
}

const hyphen = 0x2d;

function probabilityOf(tagger: Tagger, at: number): number {
  const row = at * labelsCount;
  const own = tagger.label[at] ?? 0;
  if (own !== label.location && own !== label.address) return tagger.probability[row + own] ?? 0;
  const { probability } = tagger;
  return (probability[row + label.location] ?? 0) + (probability[row + label.address] ?? 0);
}
