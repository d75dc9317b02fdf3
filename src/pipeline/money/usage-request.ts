import type { Edit } from "../../json/splice.ts";
import { foldCase } from "../../json/fold-case.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { Wire } from "../../contract/wire.ts";
import { member, type InspectedBody } from "../body/inspect.ts";

/**
 * The changes that make the provider report the usage of a streamed chat request. Chat providers report it
 * only if they are asked (design section 5).
 */
export interface UsageRequest {
  /** The caller asked for it already. */
  readonly asked: boolean;
  readonly edits: readonly Edit[];
  /** Members to add to the body. */
  readonly added: readonly string[];
}

const nothing: UsageRequest = { asked: true, edits: [], added: [] };
const includeUsage = '"include_usage":true';

/** The body must have passed `checkExactMembers`. */
export function usageRequest(wire: Wire, body: InspectedBody): UsageRequest {
  if (wire !== "chat" || !body.stream) return nothing;
  const options = member(body.topLevel, "stream_options");
  const none = { asked: false, edits: [], added: [] };
  if (options === undefined) return { ...none, added: [`"stream_options":{${includeUsage}}`] };
  const { valueStart: start, valueEnd: end } = options;
  if (options.type !== "object") {
    // null means none. `checkExactMembers` lets no other value through to here.
    return { ...none, edits: [edit(start, end, `{${includeUsage}}`)] };
  }
  return withUsage(body.bytes, start);
}

/**
 * Providers differ in which of two members they accept, and some read names in any case. So every member that
 * could switch the usage off is changed. Otherwise the answer would be free.
 */
function withUsage(bytes: Uint8Array, objectStart: number): UsageRequest {
  const reader = new JsonReader(bytes, objectStart);
  const edits: Edit[] = [];
  let members = 0;
  let asked = false;
  reader.enter();
  while (reader.nextMember()) {
    members += 1;
    const name = decodeString(bytes, reader.keyStart, reader.keyEnd);
    const isTrue = reader.type() === "true";
    reader.skip();
    if (name === "include_usage") asked = isTrue;
    if (foldCase(name) === "include_usage" && !isTrue) {
      edits.push(edit(reader.start, reader.end, "true"));
    }
  }
  if (!asked && edits.length === 0) {
    const inside = objectStart + 1;
    edits.push(edit(inside, inside, includeUsage + (members === 0 ? "" : ",")));
  }
  return { asked, edits, added: [] };
}

function edit(start: number, end: number, text: string): Edit {
  return { start, end, replacement: Buffer.from(text) };
}
