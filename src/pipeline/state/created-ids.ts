import type { Wire } from "../../contract/wire.ts";
import { providerStateIdsMax } from "../../contract/limits.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import { isBindable } from "../../store/provider-state/provider-state.ts";
import { member, type InspectedBody } from "../body/inspect.ts";

/** Where in an answer, or in an event of a stream, ids of what is stored stand. */
const onTheWay: ReadonlySet<string> = new Set([
  "audio",
  "choices",
  "container",
  "delta",
  "message",
  "output",
  "response",
]);

/** All members that are read for ids. */
export const createdMembers: readonly string[] = [...onTheWay, "id"];

/** Whether the answer to a request may create something that a later request can name. */
export function createsState(wire: Wire, body: InspectedBody): boolean {
  switch (wire) {
    case "responses":
      return member(body.topLevel, "store")?.type !== "false";
    case "messages":
      return ["thread", "container", "tools"].some((name) => member(body.topLevel, name));
    case "chat":
      return member(body.topLevel, "audio") !== undefined;
    case "embeddings":
      return false;
  }
}

/** The ids that an answer, or an event of a stream, names. A provider's bytes need not be JSON. */
export function createdIds(bytes: Uint8Array): readonly string[] {
  const ids: string[] = [];
  try {
    const reader = new JsonReader(bytes);
    if (reader.type() === "object") readObject(reader, ids);
  } catch {
    return [];
  }
  return ids;
}

function readObject(reader: JsonReader, ids: string[]): void {
  reader.enter();
  while (reader.nextMember()) {
    const key = decodeString(reader.bytes, reader.keyStart, reader.keyEnd);
    const type = reader.type();
    if (type === "object" && onTheWay.has(key)) readObject(reader, ids);
    else if (type === "array" && onTheWay.has(key)) {
      reader.enter();
      while (reader.nextItem()) {
        if (reader.type() === "object") readObject(reader, ids);
        else reader.skip();
      }
    } else {
      reader.skip();
      if (key !== "id" || type !== "string" || ids.length >= providerStateIdsMax) continue;
      const id = decodeString(reader.bytes, reader.start + 1, reader.end - 1);
      if (isBindable(id)) ids.push(id);
    }
  }
}
