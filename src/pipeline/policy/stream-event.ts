import { policyEventTextsMax } from "../../contract/limits.ts";
import { isPlainObject, type PlainObject } from "../../contract/plain-object.ts";
import type { Wire } from "../../contract/wire.ts";
import { JsonScanner } from "../../json/scanner.ts";
import {
  visitAnswer,
  type AnswerPath,
  type AnswerTextForm,
} from "../../workers/redact/answer-texts.ts";

/** A text in an event's payload. */
export interface EventText {
  readonly form: AnswerTextForm;
  /** The name of the text that this is a part of, over all events; null if it is a whole text of its own. */
  readonly name: string | null;
  /** A byte range of the payload: between a string's quotes, or a whole value. */
  readonly start: number;
  readonly end: number;
}

/** What the rules need to know about an event of a stream. */
export interface StreamEvent {
  readonly texts: readonly EventText[];
  /** Lists of token probabilities, which repeat the text. */
  readonly tokenLists: readonly { readonly start: number; readonly end: number }[];
  /** Prefixes of the names of texts that end with this event; "" means all texts. */
  readonly ends: readonly string[];
  /** The event has no content and may overtake others. */
  readonly isPing: boolean;
}

/** Reads a payload of either wire; null if it is not valid in a stream of that wire. */
export function readEvent(wire: Wire, payload: Buffer | null): StreamEvent | null {
  if (payload === null || payload.length === 0) return { ...silent, isPing: true };
  if (payload.toString("latin1").trim() === "[DONE]") return { ...silent, ends: [""] };
  if ("reason" in new JsonScanner().finish(payload, payload.length)) return null;
  const parsed: unknown = JSON.parse(payload.toString("utf8"));
  if (!isPlainObject(parsed)) return null;
  const texts: EventText[] = [];
  const tokenLists: { start: number; end: number }[] = [];
  const nameOf = names[wire];
  const places = new Set<string>();
  let count = 0;
  visitAnswer(payload, {
    text: (form, start, end, path) => {
      if (wire === "responses" && isEcho(path)) return;
      count += 1;
      if (count > policyEventTextsMax) return;
      places.add(JSON.stringify(path));
      // The signature of the model's thinking comes in a later event.
      const isThinking = wire === "messages" && path.at(-1) === "thinking";
      texts.push({
        form: isThinking ? "signed" : form,
        // Only strings continue in later events. A value is complete in its event.
        name: form === "value" ? null : nameOf(parsed, path),
        start,
        end,
      });
    },
    tokenList: (start, end) => tokenLists.push({ start, end }),
  });
  // If a member stands twice, a client reads one of them, and it is unknown which text that one continues.
  if (count > policyEventTextsMax || places.size < count) return null;
  const ends = endsOf[wire](parsed);
  return { texts, tokenLists, ends, isPing: parsed["type"] === "ping" && texts.length === 0 };
}

const silent: StreamEvent = { texts: [], tokenLists: [], ends: [], isPing: false };

/** In a chat stream, every text in a choice continues from event to event. */
function chatName(event: PlainObject, path: AnswerPath): string | null {
  if (path[0] !== "choices" || path.length < 3) return null;
  return choiceName(event, Number(path[1])) + pathName(event, path, 2);
}

function choiceName(event: PlainObject, position: number): string {
  return `choice ${indexOf(at(event, ["choices", position]), position)} `;
}

/** The path of members that leads to a text. Items are named by the index that they carry. */
function pathName(event: PlainObject, path: AnswerPath, from: number): string {
  let inside = at(event, path.slice(0, from));
  const steps = path.slice(from).map((step) => {
    inside = at(inside, [step]);
    return typeof step === "string" ? step : indexOf(inside, step);
  });
  return JSON.stringify(steps);
}

function messagesName(event: PlainObject, path: AnswerPath): string | null {
  const isDelta = event["type"] === "content_block_delta" && path[0] === "delta";
  const isStart = event["type"] === "content_block_start" && path[0] === "content_block";
  if (!(isDelta || isStart) || path.length !== 2) return null;
  return `block ${String(event["index"])} ${String(path[1])}`;
}

/** `response.output_text.delta` continues one text, which `response.output_text.done` repeats and ends. */
function responsesName(event: PlainObject, path: AnswerPath): string | null {
  const type = String(event["type"]);
  return path.length === 1 && path[0] === "delta" && type.endsWith(".delta")
    ? responsesText(event, type.slice(0, -".delta".length))
    : null;
}

function responsesText(event: PlainObject, kind: string): string {
  const { item_id: item, output_index: at, content_index: part, summary_index: summary } = event;
  return JSON.stringify([kind, item, at, part ?? null, summary ?? null]);
}

function responsesEnds(event: PlainObject): string[] {
  const type = String(event["type"]);
  if (lastTypes.has(type)) return [""];
  return type.endsWith(".done") ? [responsesText(event, type.slice(0, -".done".length))] : [];
}

const lastTypes: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error",
]);

/** Events with a whole response repeat what the caller sent: instructions, tools, metadata. */
function isEcho(path: AnswerPath): boolean {
  return path[0] === "response" && path.length > 1 && !answered.has(String(path[1]));
}

const answered: ReadonlySet<string> = new Set(["output", "output_text", "error"]);

const never = (): null => null;
const noEnds = (): string[] => [];
const names = {
  chat: chatName,
  messages: messagesName,
  responses: responsesName,
  embeddings: never,
} as const satisfies Record<Wire, unknown>;
const endsOf = {
  chat: chatEnds,
  messages: messagesEnds,
  responses: responsesEnds,
  embeddings: noEnds,
} as const satisfies Record<Wire, unknown>;

function chatEnds(event: PlainObject): string[] {
  const choices = event["choices"];
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice: unknown, position) => {
    const reason = isPlainObject(choice) ? choice["finish_reason"] : undefined;
    return typeof reason === "string" && reason !== "" ? [choiceName(event, position)] : [];
  });
}

function messagesEnds(event: PlainObject): string[] {
  switch (event["type"]) {
    case "content_block_stop":
      return [`block ${String(event["index"])} `];
    case "message_delta":
    case "message_stop":
    case "error":
      return [""];
    default:
      return [];
  }
}

function indexOf(item: unknown, position: number): number {
  const index = isPlainObject(item) ? item["index"] : undefined;
  return typeof index === "number" ? index : position;
}

function at(value: unknown, path: AnswerPath): unknown {
  return path.reduce<unknown>((inside, step) => {
    if (Array.isArray(inside)) return inside[Number(step)];
    return isPlainObject(inside) ? inside[step] : undefined;
  }, value);
}
