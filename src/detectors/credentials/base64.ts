import { isUtf8 } from "node:buffer";

const byteOrderMark = "\ufeff";

/** The text that standard or URL-safe base64 encodes; null where it is no base64 or not UTF-8. */
export function base64Text(value: string): string | null {
  if (!/^[\w+/-]+={0,2}$/.test(value)) return null;
  const bytes = Buffer.from(value, "base64");
  // Faster than a decoder that throws, by which most random text is refused.
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** The same where the text has nothing but what can be typed. */
export function base64PrintableText(value: string): string | null {
  const text = base64Text(value);
  return text !== null && /^[\t\r\n\x20-\x7e\u00a0-\uffff]+$/.test(text) ? text : null;
}
