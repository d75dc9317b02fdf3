import { policyBufferedTextUnitsMax } from "../../contract/limits.ts";
import type { TextEdit } from "../../json/escaped-text.ts";
import type { AnswerTextForm } from "../../workers/redact/answer-texts.ts";
import type { Finding } from "../../workers/redact/finding.ts";
import type { TextStep, TextStepResult } from "../../workers/redact/step-search.ts";
import { SettledEdits } from "./settled-edits.ts";

/** What the rules need to see of a text before any part of it may be sent on. */
export interface Buffering {
  /** The longest matches of the patterns that have a bound, in characters. */
  readonly widths: readonly number[];
  /** True if some rules need the whole text. */
  readonly needsWhole: boolean;
  /**
   * True if such rules also block or change what they find. Then nothing is sent before the end of the text.
   */
  readonly buffersWhole: boolean;
}

/** One character of context before the text, which has at most two UTF-16 code units. */
const contextUnits = 2;

/**
 * A text of a stream whose parts come in events. It knows how much of the text the rules have decided on, and
 * what they redact. Offsets count from the beginning of the text, in UTF-16 code units.
 */
export class StreamText {
  readonly #form: AnswerTextForm;
  readonly #buffering: Buffering;
  readonly #isEdited: boolean;
  /** True if the text is searched at once, at its end. */
  readonly #waits: boolean;
  /** What the next step may still need. It begins at offset `#base` of the text. */
  #text = "";
  #base = 0;
  /**
   * The whole text, for rules that search at the end although parts were sent. null: no such rule, or the
   * text is too long.
   */
  #whole: string | null;
  /** The offset at which the last step's text begins. */
  #stepBase = 0;
  #from: readonly number[];
  #ended = false;
  #isSearched = false;
  /** True if the text has grown or ended since the last step. */
  #isNew = false;
  readonly #edits = new SettledEdits();
  #decided = 0;

  /** If `isEdited` is false, the text gets no edits, whatever is found. */
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

  /** True if the text waits for its end and is longer than the limit. */
  get isTooLong(): boolean {
    return this.#waits && this.#text.length > policyBufferedTextUnitsMax;
  }

  /** The text before this offset is decided. */
  get decided(): number {
    return this.#decided;
  }

  add(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#isNew = true;
    if (this.#whole !== null) this.#whole += text;
    if ((this.#whole?.length ?? 0) > policyBufferedTextUnitsMax) this.#whole = null;
    // No step before the end has anything to search.
    if (!this.#waits && this.#buffering.widths.length === 0) this.#decideUntil(this.length);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#isNew = true;
  }

  /** The text that a search could decide on now; null if there is none. */
  nextStep(): TextStep | null {
    if (!this.#isNew || this.#isSearched) return null;
    this.#isNew = false;
    if (this.length === 0) {
      this.#isSearched = this.#ended;
      return null;
    }
    if (!this.#ended && !this.#mayDecide()) return null;
    // The thread gets text that was searched before only at the end, and only if a rule needs the whole text.
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

  /** Takes the findings of a step; `step` must be the one that `nextStep` returned last. */
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

  /** True if some pattern has enough text to decide on its next offset. */
  #mayDecide(): boolean {
    if (this.#waits) return false;
    return this.#buffering.widths.some(
      (width, pattern) => this.length - (this.#from[pattern] ?? 0) > width,
    );
  }

  /** Forgets the text that no later step needs. */
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
