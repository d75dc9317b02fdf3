import { isUtf8 } from "node:buffer";

const byteOrderMark = "\ufeff";

/**
 * The text that standard or URL-safe base64 encodes; null if the value is not base64 or its bytes
 * are not UTF-8.
 */
export function base64Text(value: string): string | null {
  if (!/^[\w+/-]+={0,2}$/.test(value)) return null;
  const bytes = Buffer.from(value, "base64");
  // Most random text fails here. This check is faster than a decoder that throws.
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** The same, but null also if the text has characters that can't be typed. */
export function base64PrintableText(value: string): string | null {
  const text = base64Text(value);
  return text !== null && /^[\t\r\n\x20-\x7e\u00a0-\uffff]+$/.test(text) ? text : null;
}
