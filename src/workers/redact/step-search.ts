import type { TextEdit } from "../../json/escaped-text.ts";
import type { AnswerTextForm } from "./answer-texts.ts";
import type { Finding } from "./finding.ts";
import { searchJson } from "./json-search.ts";
import type { TextSearch } from "./text-search.ts";

/** One text of a stream, as far as it has come. */
export interface TextStep {
  readonly form: AnswerTextForm;
  /**
   * The text that is still to be searched, with one character before it; the whole text if `isWhole`.
   */
  readonly text: string;
  /** The result of the step before, by offsets in `text`; empty: from the beginning. */
  readonly from: readonly number[];
  readonly ended: boolean;
  /** `text` is the whole text, so rules that need the whole text can run. */
  readonly isWhole: boolean;
}

/** What a step has found; offsets in its text. */
export interface TextStepResult {
  readonly findings: readonly Finding[];
  readonly from: readonly number[];
  /** The edits that redact a JSON text; for other texts the findings have the places. */
  readonly edits: readonly TextEdit[] | null;
}

/** Searches the next step of a text; of a JSON text, the whole. */
export function searchStep(step: TextStep, search: TextSearch): TextStepResult {
  const { form, text, ended, isWhole } = step;
  if (form === "json" || form === "value") {
    return { ...searchJson(text, search), from: [] };
  }
  const { findings, from } = search.step(text, step.from, ended);
  const all = ended && isWhole ? [...findings, ...search.rest(text)] : findings;
  return { findings: form === "signed" ? all.map(locked) : all, from, edits: null };
}

/** A signature covers the text as it is, so a redaction becomes a block. */
function locked(finding: Finding): Finding {
  return finding.action === "redact" ? { ...finding, action: "block" } : finding;
}
