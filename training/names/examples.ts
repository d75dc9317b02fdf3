import { NameFeatures, featuresMax } from "../../src/detectors/names/features.ts";
import { label, link } from "../../src/detectors/names/labels.ts";
import { linkBetween } from "../../src/detectors/names/links.ts";
import type { Lexicon } from "../../src/detectors/names/lexicon.ts";
import { Sentence } from "../../src/detectors/names/sentence.ts";
import { template } from "../../src/detectors/names/templates.ts";
import { NameTokens } from "../../src/detectors/names/tokens.ts";
import type { Random } from "./random.ts";
import type { LabelledText } from "./texts.ts";

/** Candidates that follow one another, as the tagger sees them. */
export interface Chain {
  readonly features: readonly Int32Array[];
  readonly links: readonly number[];
  readonly labels: readonly number[];
}

/** Turns labelled texts into chains; forgets some of what it knows, so that no list is trusted blindly. */
export class Examples {
  readonly #random: Random;
  readonly #tokens = new NameTokens();
  readonly #sentence: ForgetfulSentence;
  readonly #features: NameFeatures;

  constructor(lexicon: Lexicon, random: Random) {
    this.#random = random;
    this.#sentence = new ForgetfulSentence(this.#tokens, lexicon, random);
    this.#features = new NameFeatures(this.#sentence);
  }

  chains(text: LabelledText): Chain[] {
    this.#tokens.read(text.text, 0, text.text.length);
    this.#sentence.read();
    const chains: { features: Int32Array[]; links: number[]; labels: number[] }[] = [];
    let before = -1;
    for (let i = 0; i < this.#tokens.count; i++) {
      if (this.#sentence.candidate[i] === 0) continue;
      const how = before < 0 ? link.apart : linkBetween(this.#tokens, before, i);
      if (how === link.apart) chains.push({ features: [], links: [], labels: [] });
      const chain = chains.at(-1);
      chain?.features.push(this.#describe(text.text, i));
      chain?.links.push(how);
      chain?.labels.push(this.#labelOf(text, i));
      before = i;
    }
    return chains;
  }

  #describe(text: string, i: number): Int32Array {
    this.#features.describe(text, i);
    const kept = new Int32Array(featuresMax);
    let count = 0;
    for (let f = 0; f < this.#features.count; f++) {
      const drop = dropped.get(this.#features.templates[f] ?? 0) ?? 0.06;
      if (!this.#random.chance(drop)) kept[count++] = this.#features.hashes[f] ?? 0;
    }
    return kept.slice(0, count);
  }

  #labelOf(text: LabelledText, i: number): number {
    const start = this.#tokens.start[i] ?? 0;
    const span = text.spans.find((each) => each.start <= start && start < each.end);
    return span === undefined ? label.none : label[span.label];
  }
}

class ForgetfulSentence extends Sentence {
  readonly #random: Random;

  constructor(tokens: NameTokens, lexicon: Lexicon, random: Random) {
    super(tokens, lexicon);
    this.#random = random;
  }

  override lookUp(): void {
    super.lookUp();
    const forget = this.#random.chance(0.3) ? 0.6 : 0.08;
    for (let i = 0; i < this.tokens.count; i++) {
      // Names and places; what a word means in lower case stays.
      if (this.#random.chance(forget)) this.facts[i] = (this.facts[i] ?? 0) & 0xffc0;
    }
  }
}

/** How often a kind of feature is left out, where that is not the usual rate. */
const dropped: ReadonlyMap<number, number> = new Map([
  [template.bias, 0],
  [template.word, 0.5],
  [template.runFirst, 0.5],
  [template.runLast, 0.5],
  [template.suffix4, 0.3],
  [template.left2, 0.3],
  [template.right2, 0.3],
  [template.keySecond, 0.3],
  [template.around, 0.3],
]);
