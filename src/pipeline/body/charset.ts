import { TextDecoder } from "node:util";

/** Named for bytes that are not text. */
const noCharset = "binary";
/** Encodings, by their names in the encoding standard, in which an ASCII byte always means itself. */
const likeAscii: ReadonlySet<string> = new Set(["utf-8", "windows-1252"]);
const lineBreak = Buffer.from("\n");

/**
 * A body or a part of one as UTF-8, for scans. Its charset comes from its byte order mark, or from `head`, a
 * content type or a part's header lines. Not every server respects these. So if the bytes could also be read
 * as other ASCII text, the original bytes come first. null if the gateway can't read the charset.
 */
export function utf8Of(bytes: Uint8Array, head: string): Uint8Array | null {
  const [named = "utf-8", ...more] = charsetsOf(head);
  if (more.some((other) => other !== named)) return null;
  const charset = charsetOfMark(bytes) ?? named;
  if (charset === noCharset) return bytes;
  const decoder = decoderOf(charset);
  if (decoder === null) return null;
  if (decoder.encoding === "utf-8") return bytes;
  // A decoder accepts no shared memory.
  const decoded = Buffer.from(decoder.decode(new Uint8Array(bytes)));
  return likeAscii.has(decoder.encoding) ? decoded : Buffer.concat([bytes, lineBreak, decoded]);
}

/**
 * False if the bytes of a form, or of JSON, may mean something else in the named charset than in UTF-8. They
 * are scanned as UTF-8. For example, UTF-7 writes letters in base64, and in GBK the backslash before a quote
 * may be part of the preceding character.
 */
export function readsAsUtf8(contentType: string): boolean {
  return charsetsOf(contentType).every(
    (name) => name === noCharset || likeAscii.has(decoderOf(name)?.encoding ?? ""),
  );
}

function charsetsOf(head: string): string[] {
  const found = head.matchAll(/[;\s]charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi);
  const names = Array.from(found, ([, quoted, plain]) => (quoted ?? plain ?? "").trim());
  return names.filter((name) => name !== "").map((name) => name.toLowerCase());
}

/** Detects UTF-16. No other encoding's text begins with its mark. */
function charsetOfMark([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}
