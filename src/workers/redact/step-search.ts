import type { TextEdit } from "../../json/escaped-text.ts";
import type { AnswerTextForm } from "./answer-texts.ts";
import type { Finding } from "./finding.ts";
import { searchJson } from "./json-search.ts";
import type { TextSearch } from "./text-search.ts";

/** One text of a stream, as far as it has come. */
export interface TextStep {
  readonly form: AnswerTextForm;
  /** What the search still has to see, with a character before it; the whole text where `isWhole`. */
  readonly text: string;
  /** As the step before said, by offsets in `text`; empty: from its beginning. */
  readonly from: readonly number[];
  readonly ended: boolean;
  /** `text` is all of it, so that what needs the whole can be looked for. */
  readonly isWhole: boolean;
}

/** What a step has found; offsets in its text. */
export interface TextStepResult {
  readonly findings: readonly Finding[];
  readonly from: readonly number[];
  /** Of a text that is JSON, the edits that redact it; else the findings say where. */
  readonly edits: readonly TextEdit[] | null;
}

/** Searches the next step of a text; of one that is JSON, the whole. */
export function searchStep(step: TextStep, search: TextSearch): TextStepResult {
  const { form, text, ended, isWhole } = step;
  if (form === "json" || form === "value") {
    return { ...searchJson(text, search), from: [] };
  }
  const { findings, from } = search.step(text, step.from, ended);
  const all = ended && isWhole ? [...findings, ...search.rest(text)] : findings;
  return { findings: form === "signed" ? all.map(locked) : all, from, edits: null };
}

/** A signature vouches for the text as it is: what would be redacted is blocked. */
function locked(finding: Finding): Finding {
  return finding.action === "redact" ? { ...finding, action: "block" } : finding;
}
