import { decodeString } from "../../json/string.ts";
import type { Leaf } from "../segment/leaf.ts";

/**
 * A leaf's text as offsets count it: a string as JSON decodes it; structured content in the JSON
 * form that `JSON.stringify` gives it.
 */
export function textOf(bytes: Uint8Array, { form, start, end }: Leaf): string {
  if (form !== "serialized") return decodeString(bytes, start, end);
  return JSON.stringify(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString("utf8")));
}
