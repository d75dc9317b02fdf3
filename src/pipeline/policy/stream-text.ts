import { policyBufferedTextUnitsMax } from "../../contract/limits.ts";
import type { TextEdit } from "../../json/escaped-text.ts";
import type { AnswerTextForm } from "../../workers/redact/answer-texts.ts";
import type { Finding } from "../../workers/redact/finding.ts";
import type { TextStep, TextStepResult } from "../../workers/redact/step-search.ts";
import { SettledEdits } from "./settled-edits.ts";

/** What the rules need to see of a text before any of it may go on. */
export interface Buffering {
  /** The longest matches of the patterns with a bound, in characters. */
  readonly widths: readonly number[];
  /** There are rules that need the whole text … */
  readonly needsWhole: boolean;
  /** … and do something about what they find, so nothing goes on before its end. */
  readonly buffersWhole: boolean;
}

/** One context character before the text, two units of UTF-16. */
const contextUnits = 2;

/**
 * A text of a stream, of which parts come in events: how much of it the rules have decided on, and
 * what they redact. Offsets count from the text's beginning, in UTF-16 code units.
 */
export class StreamText {
  readonly #form: AnswerTextForm;
  readonly #buffering: Buffering;
  readonly #isEdited: boolean;
  /** It is searched at its end, at once. */
  readonly #waits: boolean;
  /** What the next step may still need, from `#base` on. */
  #text = "";
  #base = 0;
  /** For what is looked for at the end, though parts have gone on; null: nothing, or it is too long. */
  #whole: string | null;
  /** Where the text of the last step begins. */
  #stepBase = 0;
  #from: readonly number[];
  #ended = false;
  #isSearched = false;
  /** What has grown or ended since the last step. */
  #isNew = false;
  readonly #edits = new SettledEdits();
  #decided = 0;

  /** One that is not `isEdited` has no edits, whatever is found. */
  constructor(form: AnswerTextForm, buffering: Buffering, isEdited = true) {
    this.#isEdited = isEdited;
    this.#form = form;
    this.#buffering = buffering;
    this.#waits = buffering.buffersWhole || form === "json" || form === "value";
    this.#whole = buffering.needsWhole && !this.#waits ? "" : null;
    this.#from = buffering.widths.map(() => 0);
  }

  get length(): number {
    return this.#base + this.#text.length;
  }

  /** It waits for its end, and is longer than may wait. */
  get isTooLong(): boolean {
    return this.#waits && this.#text.length > policyBufferedTextUnitsMax;
  }

  /** Before this the text is settled. */
  get decided(): number {
    return this.#decided;
  }

  add(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#isNew = true;
    if (this.#whole !== null) this.#whole += text;
    if ((this.#whole?.length ?? 0) > policyBufferedTextUnitsMax) this.#whole = null;
    // There are no steps before the end to wait for.
    if (!this.#waits && this.#buffering.widths.length === 0) this.#decideUntil(this.length);
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
    // What has been searched goes to the thread once more at the end only, where it is needed whole.
    const whole = this.#ended ? this.#whole : null;
    this.#stepBase = whole === null ? this.#base : 0;
    return {
      form: this.#form,
      text: whole ?? this.#text,
      from: this.#from.map((at) => at - this.#stepBase),
      ended: this.#ended,
      isWhole: this.#waits || whole !== null,
    };
  }

  /** What the step's search has found; `step` is the one that was asked for last. */
  take(step: TextStep, { findings, from, edits }: TextStepResult): void {
    const base = this.#stepBase;
    const seen = base + step.text.length;
    this.#from = from.map((at) => at + base);
    if (step.ended) this.#isSearched = true;
    this.#decideUntil(step.ended ? seen : Math.min(seen, ...this.#from));
    if (!this.#isEdited) return;
    if (edits !== null) this.#edits.settleAll(edits);
    else this.#edits.settle(findings.map(movedBy(base)), this.#decided);
  }

  /** See `SettledEdits.within`. */
  editsOf(from: number, to: number): readonly TextEdit[] {
    return this.#edits.within(from, to);
  }

  /** Whether some pattern sees enough to decide on its next place. */
  #mayDecide(): boolean {
    if (this.#waits) return false;
    return this.#buffering.widths.some(
      (width, pattern) => this.length - (this.#from[pattern] ?? 0) > width,
    );
  }

  /** Forgets what no later step needs. */
  #decideUntil(decided: number): void {
    this.#decided = decided;
    const isOver = this.#isSearched;
    if (isOver) this.#whole = null;
    const keptFrom = isOver ? this.length : Math.max(this.#base, decided - contextUnits);
    this.#text = this.#text.slice(keptFrom - this.#base);
    this.#base = keptFrom;
  }
}

function movedBy(units: number): (finding: Finding) => Finding {
  return (finding) => ({ ...finding, start: finding.start + units, end: finding.end + units });
}
