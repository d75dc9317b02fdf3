import { jsonMemberNameBytesMax } from "../../contract/limits.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import { isOpaqueAt, sealedMembers } from "../segment/opaque.ts";

/**
 * The kind of an answer's text: plain, JSON in a string (a tool call's arguments), a JSON value (a tool
 * call's input), or signed text, which an edit would make invalid.
 */
export type AnswerTextForm = "plain" | "json" | "value" | "signed";

/** Names of the members that lead to a text, and the places of items in lists. */
export type AnswerPath = readonly (string | number)[];

export interface AnswerVisitor {
  /** The range is between a string's quotes, or a whole value. */
  text(form: AnswerTextForm, start: number, end: number, path: AnswerPath): void;
  /** The probabilities of the answer's tokens. This list contains the text again. */
  tokenList(start: number, end: number, path: AnswerPath): void;
}

/** Members that clients do not show as the model's words: identifiers, kinds, counts. */
const parameters = new Set([
  "call_id",
  "created",
  "finish_reason",
  "id",
  "index",
  "item_id",
  "model",
  "name",
  "native_finish_reason",
  "object",
  "obfuscation",
  "provider",
  "response_id",
  "role",
  "service_tier",
  "status",
  "stop_reason",
  "system_fingerprint",
  "tool_call_id",
  "tool_use_id",
  "type",
  "usage",
]);

/** Objects whose `data` is not text, by their type and by the member that holds them. */
const opaqueDataTypes = new Set(["base64", "redacted_thinking", "reasoning.encrypted"]);
const mediaMembers = new Set(["audio", "input_audio"]);

/** Members whose string is JSON, or a part of JSON in a stream. */
const jsonMembers = new Set(["arguments", "partial_json"]);
/** Members with an object that is the input of a tool call. */
const inputMembers = new Set(["input", "arguments", "args"]);
const tokenMembers = new Set(["logprobs", "logprobs_result", "logprob"]);

/**
 * Visits the texts of a provider's answer, or of one event of its stream, on either wire. `bytes` is
 * validated JSON. Unknown members count as the model's words.
 */
export function visitAnswer(bytes: Uint8Array, visitor: AnswerVisitor): void {
  new AnswerWalk(new JsonReader(bytes), visitor).value("", false, []);
}

class AnswerWalk {
  readonly #reader: JsonReader;
  readonly #visitor: AnswerVisitor;

  constructor(reader: JsonReader, visitor: AnswerVisitor) {
    this.#reader = reader;
    this.#visitor = visitor;
  }

  /** Reads the value at the cursor. The member `key` holds it, directly or in lists. */
  value(key: string, isSigned: boolean, path: AnswerPath): void {
    const reader = this.#reader;
    switch (reader.type()) {
      case "string":
        reader.skip();
        if (isOpaqueAt(key, reader.bytes, reader.start + 1, reader.end - 1)) return;
        this.#visitor.text(formOf(key, isSigned), reader.start + 1, reader.end - 1, path);
        return;
      case "array":
        reader.enter();
        for (let at = 0; reader.nextItem(); at++) this.value(key, isSigned, [...path, at]);
        return;
      case "object":
        if (inputMembers.has(key)) return this.#range("value", path);
        return this.#object(key, isSigned, path);
      default:
        reader.skip();
    }
  }

  #object(holder: string, isSigned: boolean, path: AnswerPath): void {
    const { types, hasSignature } = this.#traits();
    const reader = this.#reader;
    reader.enter();
    while (reader.nextMember()) {
      const key = this.#key();
      const isData = types.some((type) => opaqueDataTypes.has(type)) || mediaMembers.has(holder);
      if (tokenMembers.has(key)) this.#tokens([...path, key]);
      else if (parameters.has(key) || sealedMembers.has(key) || (key === "data" && isData))
        reader.skip();
      else this.value(key, isSigned || hasSignature, [...path, key]);
    }
  }

  #range(form: AnswerTextForm, path: AnswerPath): void {
    this.#reader.skip();
    this.#visitor.text(form, this.#reader.start, this.#reader.end, path);
  }

  #tokens(path: AnswerPath): void {
    const type = this.#reader.type();
    this.#reader.skip();
    if (type !== "array" && type !== "object") return;
    this.#visitor.tokenList(this.#reader.start, this.#reader.end, path);
  }

  /** Looks ahead into the object at the cursor, which does not move. */
  #traits(): { readonly types: readonly string[]; readonly hasSignature: boolean } {
    const ahead = new JsonReader(this.#reader.bytes, this.#reader.at);
    const types: string[] = [];
    let hasSignature = false;
    ahead.enter();
    while (ahead.nextMember()) {
      const key = nameAt(ahead.bytes, ahead.keyStart, ahead.keyEnd);
      const isString = ahead.type() === "string";
      ahead.skip();
      if (!isString) continue;
      if (key === "type") types.push(nameAt(ahead.bytes, ahead.start + 1, ahead.end - 1));
      if (key === "signature" && ahead.end - ahead.start > '""'.length) hasSignature = true;
    }
    return { types, hasSignature };
  }

  #key(): string {
    const { bytes, keyStart, keyEnd } = this.#reader;
    return nameAt(bytes, keyStart, keyEnd);
  }
}

/** A long name is never a known one. */
function nameAt(bytes: Uint8Array, start: number, end: number): string {
  return end - start > jsonMemberNameBytesMax ? "" : decodeString(bytes, start, end);
}

function formOf(key: string, isSigned: boolean): AnswerTextForm {
  if (isSigned) return "signed";
  return jsonMembers.has(key) ? "json" : "plain";
}
