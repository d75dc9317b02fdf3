import type { TextEdit } from "../../json/escaped-text.ts";
import type { AnswerTextForm } from "./answer-texts.ts";
import type { Finding } from "./finding.ts";
import { searchJson } from "./json-search.ts";
import type { TextSearch } from "./text-search.ts";

/** One text of a stream, with the part received so far. */
export interface TextStep {
  readonly form: AnswerTextForm;
  /**
   * The text that is still to be searched, with one character before it; the whole text if `isWhole`.
   */
  readonly text: string;
  /** The `from` of the previous step, as offsets in `text`; empty: from the beginning. */
  readonly from: readonly number[];
  readonly ended: boolean;
  /** `text` is the whole text, so rules that need the whole text can run. */
  readonly isWhole: boolean;
}

/** The findings of a step, with offsets in its text. */
export interface TextStepResult {
  readonly findings: readonly Finding[];
  readonly from: readonly number[];
  /**
   * The edits that redact a JSON text; null for other texts, because their findings have the
   * places.
   */
  readonly edits: readonly TextEdit[] | null;
}

/** Searches the next step of a text. A JSON text is searched as a whole. */
export function searchStep(step: TextStep, search: TextSearch): TextStepResult {
  const { form, text, ended, isWhole } = step;
  if (form === "json" || form === "value") {
    return { ...searchJson(text, search), from: [] };
  }
  const { findings, from } = search.step(text, step.from, ended);
  const all = ended && isWhole ? [...findings, ...search.rest(text)] : findings;
  return { findings: form === "signed" ? all.map(locked) : all, from, edits: null };
}

/**
 * The finding in a signed text. An edit would break the signature, so a redaction becomes a block.
 */
function locked(finding: Finding): Finding {
  return finding.action === "redact" ? { ...finding, action: "block" } : finding;
}
