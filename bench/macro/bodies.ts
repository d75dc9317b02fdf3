import { uniqueMark } from "./generator/request.ts";

const sentences = [
  "Please read the notes of the last meeting and tell me what was decided about the new warehouse.",
  "We agreed to move the delivery date, but the budget for packaging was left open.",
  "Anna wants the numbers of the third quarter before she talks to the landlord.",
  "The map of the loading area is out of date, so the trucks still come from the wrong side.",
  "If there is a risk that I have not seen, name it in one sentence and say who should look at it.",
  "Keep the answer short, and write it so that somebody who was not there understands it.",
];

/** Prose of a length, in characters, with a number in it that is new in each request. */
function prose(chars: number, mark = uniqueMark): string {
  let text = `Note ${mark}: `;
  for (let i = 0; text.length < chars; i += 1) text += `${sentences[i % sentences.length] ?? ""} `;
  return text.slice(0, chars);
}

/** A mark for a text of the same length that does not change between requests. */
const sameNumber = "0".repeat(uniqueMark.length);

/** Long enough that its score is remembered, short enough for a small request. */
const smallTextChars = 640;

export type SmallText =
  /** The same request each time. Weir remembers its score. */
  | "seen"
  /** Another text each time. */
  | "new"
  /** Another text each time, at a place that the model reads and the injection scan does not. */
  | "unscanned";

/** A small chat request. All its kinds have the same length. */
export function smallChat(model: string, text: SmallText): string {
  const content = prose(smallTextChars, text === "seen" ? sameNumber : uniqueMark);
  // Both names have the same length, so all bodies have the same length.
  const role = text === "unscanned" ? "system" : "user";
  return JSON.stringify({
    model,
    messages: [{ role, content: text === "unscanned" ? content.slice(2) : content }],
    max_tokens: 200,
  });
}

/** A request for a stream of events, with usage at its end. */
export function streamingChat(
  model: string,
  maxTokens: number,
  text: "new" | "seen" = "new",
): string {
  const mark = text === "seen" ? sameNumber : uniqueMark;
  return JSON.stringify({
    model,
    messages: [{ role: "user", content: prose(smallTextChars, mark) }],
    max_tokens: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
  });
}

const userTurnChars = 1_200;
const assistantTurnChars = 1_200;

/** A conversation whose texts occur in no other. */
export class Conversation {
  static #count = 0;
  readonly #number: string;
  readonly #model: string;
  readonly #messages: { readonly role: string; readonly content: string }[] = [];

  constructor(model: string) {
    Conversation.#count += 1;
    this.#number = `${process.pid}-${Conversation.#count}`;
    this.#model = model;
  }

  /** The request with one more turn of the user, after the assistant's answer to the last one. */
  next(): string {
    const turn = this.#messages.length;
    const text = (chars: number, what: string): string =>
      prose(chars, `${this.#number}-${what}-${turn}`);
    if (turn > 0) {
      this.#messages.push({ role: "assistant", content: text(assistantTurnChars, "answer") });
    }
    this.#messages.push({ role: "user", content: text(userTurnChars, "question") });
    return JSON.stringify({ model: this.#model, messages: this.#messages, max_tokens: 200 });
  }

  /** The request of a later turn, without the turns before it. */
  grown(turns: number): string {
    let body = "";
    for (let turn = 0; turn < turns; turn += 1) body = this.next();
    return body;
  }
}
