import { JsonScanner } from "../../json/scanner.ts";
import { visitAnswer, type AnswerTextForm, type AnswerVisitor } from "./answer-texts.ts";
import { BodyEdits, type BodyVerdict } from "./body-edits.ts";
import type { TextSearch } from "./text-search.ts";

/**
 * Searches a whole answer of a provider: JSON of either wire or of unknown shape, or text. Text can't
 * be edited. Undefined: the answer is declared as JSON but is not JSON.
 */
export function searchAnswer(
  bytes: Uint8Array,
  isText: boolean,
  search: TextSearch,
): BodyVerdict | undefined {
  const edits = new BodyEdits(bytes, search);
  if (isText) {
    edits.locked(Buffer.from(bytes).toString("utf8"));
    return edits.verdict;
  }
  if ("reason" in new JsonScanner().finish(bytes, bytes.length)) return undefined;
  const texts = new AnswerTexts(edits);
  visitAnswer(bytes, texts);
  return texts.verdict;
}

class AnswerTexts implements AnswerVisitor {
  readonly #edits: BodyEdits;
  readonly #tokenLists: { readonly start: number; readonly end: number }[] = [];

  constructor(edits: BodyEdits) {
    this.#edits = edits;
  }

  text(form: AnswerTextForm, start: number, end: number): void {
    if (form === "value") this.#edits.value(start, end);
    else this.#edits.string(start, end, form === "json", form === "signed");
  }

  tokenList(start: number, end: number): void {
    this.#tokenLists.push({ start, end });
  }

  /** The list of tokens must not show redacted text. */
  get verdict(): BodyVerdict {
    const { verdict } = this.#edits;
    if (verdict.edits.length === 0) return verdict;
    const nulls = this.#tokenLists.map((range) => ({ ...range, replacement: Buffer.from("null") }));
    return { ...verdict, edits: [...verdict.edits, ...nulls] };
  }
}
