import { TextDecoder } from "node:util";

/** Said of bytes that are no text. */
const noCharset = "binary";
/** In which every byte of ASCII is itself, whatever stands before it, as the encoding standard names them. */
const likeAscii: ReadonlySet<string> = new Set(["utf-8", "windows-1252"]);
const lineBreak = Buffer.from("\n");

/**
 * A body or a part of one as UTF-8, for scans: its byte order mark tells what it is in, or `head`, a
 * content type or a part's header lines. Not every server goes by them, so where ASCII would be other
 * text, the bytes as they are come first. null: nobody here can read it.
 */
export function utf8Of(bytes: Uint8Array, head: string): Uint8Array | null {
  const [named = "utf-8", ...more] = charsetsOf(head);
  if (more.some((other) => other !== named)) return null;
  const charset = charsetOfMark(bytes) ?? named;
  if (charset === noCharset) return bytes;
  const decoder = decoderOf(charset);
  if (decoder === null) return null;
  if (decoder.encoding === "utf-8") return bytes;
  // A decoder takes no shared memory.
  const decoded = Buffer.from(decoder.decode(new Uint8Array(bytes)));
  return likeAscii.has(decoder.encoding) ? decoded : Buffer.concat([bytes, lineBreak, decoded]);
}

/**
 * False where a content type names a charset in which the bytes of a form, or of JSON, may say something
 * else than in UTF-8, as which they are scanned: in UTF-7 letters are spelled in base64, in GBK a quote's
 * backslash is a part of the character before it.
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

/** Of UTF-16, which no other encoding's text begins with. */
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
