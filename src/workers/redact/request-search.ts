import * as ascii from "../../json/ascii.ts";
import { decodeString } from "../../json/string.ts";
import type { BodyFormat } from "../pool/scan-job.ts";
import type { Leaf, LeafVisitor } from "../segment/leaf.ts";
import { isOpaqueAt } from "../segment/opaque.ts";
import { textOfTokens } from "../segment/token-input.ts";
import { visitLeaves } from "../segment/segment.ts";
import { BodyEdits, type BodyVerdict } from "./body-edits.ts";
import type { TextSearch } from "./text-search.ts";

/** Members whose value is the identifier of another part of the request or of an answer. */
const linkMembers = new Set([
  "call_id",
  "item_id",
  "previous_response_id",
  "response_id",
  "tool_call_id",
  "tool_use_id",
]);
const identifierBytesMax = 128;
const identifier = /^[\w.:-]+$/;
/** Identifiers that the Responses API gives its items; another `id` may be a customer's. */
const itemIdentifier = /^(?:call|ctc|fc|ig|mcp|msg|resp|rs|toolu|ws)_\w+$/;

/**
 * Searches a request body on its way to a provider: everything that the model reads, including keys.
 * A body that is text can't be edited byte by byte, because its content may be encoded; nor can
 * tokens.
 */
export function searchRequest(
  bytes: Uint8Array,
  format: BodyFormat | "text",
  search: TextSearch,
): BodyVerdict {
  const edits = new BodyEdits(bytes, search);
  if (format === "text") edits.locked(Buffer.from(bytes).toString("utf8"));
  else visitLeaves(bytes, format, new RequestLeaves(bytes, edits));
  if (format === "embeddings") edits.locked(textOfTokens(bytes));
  return edits.verdict;
}

/** The first bytes that arguments may have. A backslash begins an escaped quote or white space. */
const jsonStarts: ReadonlySet<number> = new Set([
  ascii.openBrace,
  ascii.openBracket,
  ascii.space,
  ascii.backslash,
]);

class RequestLeaves implements LeafVisitor {
  /**
   * Inputs are read as a whole, because a key may show what its value is, and a number may be a
   * card number.
   */
  readonly readsInputsWhole = true;
  readonly #bytes: Uint8Array;
  readonly #edits: BodyEdits;

  constructor(bytes: Uint8Array, edits: BodyEdits) {
    this.#bytes = bytes;
    this.#edits = edits;
  }

  leaf(leaf: Leaf): void {
    const { place, form, start, end, isSigned } = leaf;
    if (form === "serialized") return this.#edits.value(start, end);
    if (form === "string" && this.#isUnread(place.key(this.#bytes), start, end)) return;
    const isJson = form === "string" && this.#holdsArguments(leaf);
    this.#edits.string(start, end, isJson, isSigned);
  }

  unscanned(): void {
    // Parameters and media.
  }

  /** Whether the value is a medium, or an identifier that links parts of a request. */
  #isUnread(key: string, start: number, end: number): boolean {
    if (isOpaqueAt(key, this.#bytes, start, end)) return true;
    if (!(linkMembers.has(key) || key === "id") || end - start > identifierBytesMax) return false;
    const text = decodeString(this.#bytes, start, end);
    return linkMembers.has(key) ? identifier.test(text) : itemIdentifier.test(text);
  }

  /**
   * Whether the leaf is a tool call's arguments. They are JSON in a string, so a redaction in them
   * is escaped twice.
   */
  #holdsArguments({ place, start }: Leaf): boolean {
    if (!jsonStarts.has(this.#bytes[start] ?? 0)) return false;
    return place.location(this.#bytes, false).path?.at(-1) === "arguments";
  }
}
