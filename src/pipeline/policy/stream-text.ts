import { policyHeldTextUnitsMax } from "../../contract/limits.ts";
import type { TextEdit } from "../../json/escaped-text.ts";
import type { AnswerTextForm } from "../../workers/policy/answer-texts.ts";
import type { Finding } from "../../workers/policy/finding.ts";
import type { TextStep, TextStepResult } from "../../workers/policy/step-search.ts";
import { SettledEdits } from "./settled-edits.ts";

/** What the rules need to see of a text before any of it may go on. */
export interface Holding {
  /** The longest matches of the patterns with a bound, in characters. */
  readonly widths: readonly number[];
  /** There are rules that need the whole text … */
  readonly needsWhole: boolean;
  /** … and do something about what they find, so nothing goes on before its end. */
  readonly holdsWhole: boolean;
}

/** One context character before the text, two units of UTF-16. */
const contextUnits = 2;

/**
 * A text of a stream, of which parts come in events: how much of it the rules have decided on, and
 * what they redact. Offsets count from the text's beginning, in UTF-16 code units.
 */
export class StreamText {
  readonly #form: AnswerTextForm;
  readonly #holding: Holding;
  /** What may still be needed, from `#base` on. */
  #text = "";
  #base = 0;
  #from: readonly number[];
  #ended = false;
  #isSearched = false;
  /** What has grown or ended since the last step. */
  #isNew = false;
  readonly #edits = new SettledEdits();
  #decided = 0;

  constructor(form: AnswerTextForm, holding: Holding) {
    this.#form = form;
    this.#holding = holding;
    this.#from = holding.widths.map(() => 0);
  }

  get length(): number {
    return this.#base + this.#text.length;
  }

  /** It waits for its end, and is longer than may wait. */
  get isTooLong(): boolean {
    const waits = this.#holding.holdsWhole || this.#form === "json";
    return waits && this.#text.length > policyHeldTextUnitsMax;
  }

  /** Before this the text is settled. */
  get decided(): number {
    return this.#decided;
  }

  add(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#isNew = true;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#isNew = true;
  }

  /** What a search could tell now; null: nothing. */
  nextStep(): TextStep | null {
    if (!this.#isNew || this.#isSearched) return null;
    this.#isNew = false;
    if (this.length === 0) {
      this.#isSearched = this.#ended;
      return null;
    }
    if (!this.#ended && !this.#mayDecide()) return null;
    const step = { form: this.#form, ended: this.#ended, isWhole: this.#base === 0 };
    return { ...step, text: this.#text, from: this.#from.map((at) => at - this.#base) };
  }

  /** What the step's search has found; `step` is the one that was asked for last. */
  take(step: TextStep, { findings, from, edits }: TextStepResult): void {
    const base = this.#base;
    const seen = base + step.text.length;
    this.#from = from.map((at) => at + base);
    if (step.ended) this.#isSearched = true;
    if (step.ended) this.#decided = seen;
    else if (!this.#holding.holdsWhole) this.#decided = Math.min(seen, ...this.#from);
    if (edits !== null) this.#edits.settleAll(edits);
    else this.#edits.settle(findings.map(movedBy(base)), this.#decided);
    this.#forget();
  }

  /** See `SettledEdits.within`. */
  editsOf(from: number, to: number): readonly TextEdit[] {
    return this.#edits.within(from, to);
  }

  /** Whether some pattern sees enough to decide on its next place. */
  #mayDecide(): boolean {
    if (this.#holding.holdsWhole || this.#form === "json") return false;
    return this.#holding.widths.some(
      (width, pattern) => this.length - (this.#from[pattern] ?? 0) > width,
    );
  }

  #forget(): void {
    const isTooLong = this.length > policyHeldTextUnitsMax;
    if (this.#isSearched) {
      this.#base = this.length;
      this.#text = "";
    } else if (!this.#holding.needsWhole || isTooLong) {
      const keptFrom = Math.max(this.#base, this.#decided - contextUnits);
      this.#text = this.#text.slice(keptFrom - this.#base);
      this.#base = keptFrom;
    }
  }
}

function movedBy(units: number): (finding: Finding) => Finding {
  return (finding) => ({ ...finding, start: finding.start + units, end: finding.end + units });
}
