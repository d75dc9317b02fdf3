import type { Wire } from "../../contract/wire.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { InspectedBody } from "../body/inspect.ts";

/** An id by which a request names what the provider stores: an answer, an item, a file, a container. */
export interface StateId {
  readonly id: string;
  /** The member that holds it. */
  readonly param: string;
}

/** Members whose string, or strings, are such ids, wherever they stand. */
const idMembers: ReadonlySet<string> = new Set([
  "approval_request_id",
  "container_id",
  "file_id",
  "file_ids",
  "previous_message_id",
  "previous_response_id",
  "vector_store_ids",
]);

/** Members with one such id, or with an object that has it. */
const holders: ReadonlySet<string> = new Set(["audio", "container", "conversation"]);

/** Members below which names are the caller's own. */
const callersOwn: ReadonlySet<string> = new Set([
  "arguments",
  "client_metadata",
  "input_schema",
  "json_schema",
  "metadata",
  "parameters",
  "schema",
]);

/** Items that hold their whole content. All others of a provider's tools are looked up by their id. */
const wholeCalls: ReadonlySet<string> = new Set([
  "apply_patch_call",
  "computer_call",
  "custom_tool_call",
  "function_call",
  "local_shell_call",
  "shell_call",
  "tool_search_call",
]);
const lookedUp: ReadonlySet<string> = new Set([
  "item_reference",
  "mcp_approval_request",
  "mcp_list_tools",
]);

/**
 * The ids of provider state that a request names, each once. Most requests name none, which a few searches of
 * the bytes tell; only the others are read. Names are matched after unescaping.
 */
export function stateIdsOf(wire: Wire, body: InspectedBody): readonly StateId[] {
  if (wire === "embeddings" || !mayNameState(wire, body.bytes)) return none;
  const walk = new StateWalk(wire, new JsonReader(body.bytes, body.topLevel.start));
  walk.object(true);
  return [...walk.found].map(([id, param]) => ({ id, param }));
}

const none: readonly StateId[] = [];

/** JSON text inside a string has its quotes escaped, so these match members and values alone. */
const marks = [...idMembers, ...holders, "item_reference", "_call", "mcp_", "reasoning"].map(
  (name) => Buffer.from(name.includes("_") && !idMembers.has(name) ? name : `"${name}"`),
);
/** Begins an escape of an ASCII letter. */
const escape = Buffer.from("\\u00");

function mayNameState(wire: Wire, bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Nearly every answer of the responses wire is sent back as items.
  if (wire === "responses") return true;
  return view.includes(escape) || marks.some((mark) => view.includes(mark));
}

class StateWalk {
  /** The member that holds it, by id. */
  readonly found = new Map<string, string>();
  readonly #wire: Wire;
  readonly #reader: JsonReader;

  constructor(wire: Wire, reader: JsonReader) {
    this.#wire = wire;
    this.#reader = reader;
  }

  /** Reads the object at the cursor. */
  object(isTop = false): void {
    const reader = this.#reader;
    let [type, id, isSealed]: [string, string | null, boolean] = ["", null, false];
    reader.enter();
    while (reader.nextMember()) {
      const key = decodeString(reader.bytes, reader.keyStart, reader.keyEnd);
      const kind = reader.type();
      if (idMembers.has(key)) this.#ids(key);
      else if (holders.has(key)) this.#holder(key);
      else if (callersOwn.has(key) || (key === "input" && !isTop)) reader.skip();
      else if (kind === "object") this.object();
      else if (kind === "array") this.#items();
      else {
        reader.skip();
        if (kind !== "string") continue;
        if (key === "type") type = this.#text();
        else if (key === "id") id = this.#text();
        else if (key === "encrypted_content") isSealed = true;
      }
    }
    if (this.#wire !== "responses" || id === null || isTop) return;
    const isReasoning = type === "reasoning" && !isSealed;
    const isCall = type.endsWith("_call") && !wholeCalls.has(type);
    if (isReasoning || isCall || lookedUp.has(type)) this.#note(id, "input");
  }

  #items(): void {
    const reader = this.#reader;
    reader.enter();
    while (reader.nextItem()) {
      const kind = reader.type();
      if (kind === "object") this.object();
      else if (kind === "array") this.#items();
      else reader.skip();
    }
  }

  /** The string at the cursor, or the strings in the list there. */
  #ids(key: string): void {
    const reader = this.#reader;
    const kind = reader.type();
    if (kind === "string") {
      reader.skip();
      this.#note(this.#text(), key);
    } else if (kind === "array") {
      reader.enter();
      while (reader.nextItem()) {
        const isText = reader.type() === "string";
        reader.skip();
        if (isText) this.#note(this.#text(), key);
      }
    } else if (kind === "object") this.object();
    else reader.skip();
  }

  /** An id, or an object with the member `id`; a chat's wish for audio has a voice and a format instead. */
  #holder(key: string): void {
    const reader = this.#reader;
    const kind = reader.type();
    if (kind === "string") return this.#ids(key);
    if (kind !== "object") return kind === "array" ? this.#items() : reader.skip();
    reader.enter();
    while (reader.nextMember()) {
      const inner = decodeString(reader.bytes, reader.keyStart, reader.keyEnd);
      if (inner === "id" || idMembers.has(inner)) this.#ids(key);
      else if (reader.type() === "object") this.object();
      else if (reader.type() === "array") this.#items();
      else reader.skip();
    }
  }

  #note(id: string, param: string): void {
    if (id !== "" && !this.found.has(id)) this.found.set(id, param);
  }

  /** The string that was skipped last. */
  #text(): string {
    const { bytes, start, end } = this.#reader;
    return decodeString(bytes, start + 1, end - 1);
  }
}
