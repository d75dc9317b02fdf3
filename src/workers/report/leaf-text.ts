import { escaped } from "../../json/escaped-text.ts";
import { decodeString } from "../../json/string.ts";
import { jsonTokens, tokenText } from "../redact/json-tokens.ts";
import type { Leaf } from "../segment/leaf.ts";

/**
 * A leaf's text, to which the offsets of findings refer: a decoded JSON string, or structured
 * content in the form of `JSON.stringify`. Duplicate members are all kept in their order
 * (`JSON.stringify` would keep one).
 */
export function textOf(bytes: Uint8Array, { form, start, end }: Leaf): string {
  if (form !== "serialized") return decodeString(bytes, start, end);
  const json = Buffer.from(bytes.subarray(start, end)).toString("utf8");
  const once = JSON.stringify(JSON.parse(json));
  const all = compact(json);
  return all.length === once.length ? once : all;
}

/** Each value as `JSON.stringify` spells it, and no space between them. */
function compact(json: string): string {
  let text = "";
  let from = 0;
  for (const token of jsonTokens(json)) {
    const { isString, raw, start } = token;
    const value = isString ? escaped(tokenText(token)) : JSON.stringify(JSON.parse(raw));
    text += json.slice(from, start).replace(/\s+/g, "") + value;
    from = start + raw.length;
  }
  return text + json.slice(from).replace(/\s+/g, "");
}
