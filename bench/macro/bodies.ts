import { uniqueMark } from "./generator/request.ts";

const sentences = [
  "Please read the notes of the last meeting and tell me what was decided about the new warehouse.",
  "We agreed to move the delivery date, but the budget for packaging was left open.",
  "Anna wants the numbers of the third quarter before she talks to the landlord.",
  "The map of the loading area is out of date, so the trucks still come from the wrong side.",
  "If there is a risk that I have not seen, name it in one sentence and say who should look at it.",
  "Keep the answer short, and write it so that somebody who was not there understands it.",
];

/** Prose of a length, in characters; with a number in it that is new each time. */
function prose(chars: number, mark = uniqueMark): string {
  let text = `Note ${mark}: `;
  for (let i = 0; text.length < chars; i += 1) text += `${sentences[i % sentences.length] ?? ""} `;
  return text.slice(0, chars);
}

/** A text that is the same in each request, and as long. */
const sameNumber = "0".repeat(uniqueMark.length);

/** Long enough to be remembered, short enough to be small. */
const smallTextChars = 640;

export type SmallText =
  /** The same request each time, whose score Weir remembers. */
  | "seen"
  /** Another text each time. */
  | "new"
  /** Another text each time, where the model reads it and the injection scan does not. */
  | "unscanned";

/** A small chat request, of one length in all its kinds. */
export function smallChat(model: string, text: SmallText): string {
  const content = prose(smallTextChars, text === "seen" ? sameNumber : uniqueMark);
  // One name is as long as the other, so that all bodies are as long.
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

/** A conversation with texts that no other has. */
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

  /** The request of a later turn at once. */
  grown(turns: number): string {
    let body = "";
    for (let turn = 0; turn < turns; turn += 1) body = this.next();
    return body;
  }
}
