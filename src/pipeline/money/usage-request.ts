import type { Edit } from "../../json/splice.ts";
import { foldCase } from "../../json/fold-case.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { Wire } from "../../contract/wire.ts";
import { member, type InspectedBody } from "../body/inspect.ts";

/**
 * What has to change in a streamed chat request so that the provider reports its usage, which other
 * providers of that wire do only when asked (design section 5).
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

/** Of a body that `checkExactMembers` has let pass. */
export function usageRequest(wire: Wire, body: InspectedBody): UsageRequest {
  if (wire !== "chat" || !body.stream) return nothing;
  const options = member(body.topLevel, "stream_options");
  const none = { asked: false, edits: [], added: [] };
  if (options === undefined) return { ...none, added: [`"stream_options":{${includeUsage}}`] };
  const { valueStart: start, valueEnd: end } = options;
  if (options.type !== "object") {
    // null means none, and nothing else gets here (`checkExactMembers`).
    return { ...none, edits: [edit(start, end, `{${includeUsage}}`)] };
  }
  return withUsage(body.bytes, start);
}

/**
 * Providers differ in which of two members they take, and some read names in any case; so whatever
 * could be read as a refusal of usage is turned, or the answer would be free.
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
