import { mcpMessageBytesMax } from "../../contract/limits.ts";
import { JsonScanner, type JsonFault, type Member, type TopLevel } from "../../json/scanner.ts";
import { refuse, type Refusal } from "../../contract/errors.ts";
import { isPlainObject, type PlainObject } from "../../contract/plain-object.ts";
import type { BodyObserver } from "../../exchange/exchange.ts";
import { rpcCodes, type RpcFault, type RpcId } from "./rpc-answer.ts";

/** A JSON object in a body: the places of its members, whose values are not parsed. */
export interface JsonObject {
  readonly bytes: Uint8Array;
  readonly topLevel: TopLevel;
}

/** A client's message. */
export interface RpcMessage {
  /** undefined for a notification, which gets no answer. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: RpcParams;
}

export interface RpcParams {
  /** `params.name`, if it is a string. */
  readonly name: string | undefined;
  readonly protocolVersion: unknown;
  /** `params._meta`; undefined if it is not an object. */
  readonly meta: PlainObject | undefined;
  /** undefined if there are none; null if they are no object. */
  readonly arguments: JsonObject | null | undefined;
}

export type ReadMessage =
  | { readonly ok: true; readonly message: RpcMessage }
  | { readonly ok: false; readonly id: RpcId; readonly fault: RpcFault };

/** Validates the body while it arrives, and remembers why it is not JSON. */
export class MessageIntake implements BodyObserver {
  readonly #scanner = new JsonScanner();
  #fault: JsonFault | undefined;

  grown(bytes: Uint8Array, length: number): Refusal | undefined {
    this.#fault = this.#scanner.grown(bytes, length);
    if (this.#fault === undefined) return undefined;
    return refuse("invalid_request", "The message is not JSON.").refusal;
  }

  /** The reason why the intake stopped, if the body's content caused it. */
  get stopped(): ReadMessage | undefined {
    return this.#fault === undefined ? undefined : notJson(this.#fault);
  }

  /** Reads the whole body as one message. A tool's arguments may be long, so they stay bytes. */
  finish(bytes: Uint8Array): ReadMessage {
    const topLevel = this.#scanner.finish(bytes, bytes.length);
    if ("reason" in topLevel) return notJson(topLevel);
    if (topLevel.root === "array") return invalid(null, "Batches of messages are not served.");
    if (topLevel.root !== "object") return invalid(null, "A message is a JSON object.");
    return readMessage({ bytes, topLevel });
  }
}

function readMessage(body: JsonObject): ReadMessage {
  const envelopeBytes = body.bytes.length - lengthOf(memberOf(body, "params"));
  if (envelopeBytes > mcpMessageBytesMax) return invalid(null, "The message is too long.");
  if (repeats(body)) return invalid(null, "A member of the message stands more than once.");
  const id = valueOf(body, "id");
  const isId = id === undefined || typeof id === "string" || Number.isSafeInteger(id);
  const readId = isId ? (id as string | number | undefined) : undefined;
  if (valueOf(body, "jsonrpc") !== "2.0") return invalid(readId, '"jsonrpc" must be "2.0".');
  if (!isId) return invalid(null, '"id" must be a string or an integer.');
  const method = valueOf(body, "method");
  if (typeof method !== "string") return invalid(readId, '"method" must be a string.');
  const params = readParams(body);
  if (params === null) {
    const fault = { code: rpcCodes.invalidParams, message: '"params" must be an object.' } as const;
    return { ok: false, id: readId ?? null, fault: { ...fault, httpStatus: 400 } };
  }
  return { ok: true, message: { id: readId, method, params } };
}

/** null if the params are no object, ambiguous or too long. */
function readParams(body: JsonObject): RpcParams | null {
  const member = memberOf(body, "params");
  if (member === undefined) {
    return { name: undefined, protocolVersion: undefined, meta: undefined, arguments: undefined };
  }
  const params = objectIn(body, member);
  if (params === null || repeats(params)) return null;
  const argumentsMember = memberOf(params, "arguments");
  if (params.bytes.length - lengthOf(argumentsMember) > mcpMessageBytesMax) return null;
  const name = valueOf(params, "name");
  const meta = valueOf(params, "_meta");
  return {
    name: typeof name === "string" ? name : undefined,
    protocolVersion: valueOf(params, "protocolVersion"),
    meta: isPlainObject(meta) ? meta : undefined,
    arguments: argumentsMember === undefined ? undefined : objectIn(params, argumentsMember),
  };
}

/** null if the member is no object. */
function objectIn({ bytes }: JsonObject, member: Member): JsonObject | null {
  if (member.type !== "object") return null;
  const inner = bytes.subarray(member.valueStart, member.valueEnd);
  const topLevel = new JsonScanner().finish(inner, inner.length);
  // An object with more members than the scanner records. The scan of the body has found every other fault.
  return "reason" in topLevel ? null : { bytes: inner, topLevel };
}

/** The parsed value of a short member; undefined if it is absent. */
function valueOf({ bytes, topLevel }: JsonObject, name: string): unknown {
  const member = topLevel.members.find((one) => one.name === name);
  if (member === undefined) return undefined;
  const text = Buffer.from(bytes.subarray(member.valueStart, member.valueEnd)).toString("utf8");
  return JSON.parse(text) as unknown;
}

function memberOf({ topLevel }: JsonObject, name: string): Member | undefined {
  return topLevel.members.find((one) => one.name === name);
}

function lengthOf(member: Member | undefined): number {
  return member === undefined ? 0 : member.valueEnd - member.valueStart;
}

/** Of two members with one name, another reader might take the other one. */
function repeats({ topLevel: { members } }: JsonObject): boolean {
  return new Set(members.map(({ name }) => name)).size < members.length;
}

function notJson({ reason, offset }: JsonFault): ReadMessage {
  const message = `The message is not valid JSON: ${reason} at byte ${offset}.`;
  return { ok: false, id: null, fault: { code: rpcCodes.parseError, message, httpStatus: 400 } };
}

function invalid(id: RpcId | undefined, message: string): ReadMessage {
  const fault = { code: rpcCodes.invalidRequest, message, httpStatus: 400 } as const;
  return { ok: false, id: id ?? null, fault };
}
