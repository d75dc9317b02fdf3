import { multipartHeadBytesMax } from "../contract/limits.ts";
import { utf8Of } from "./charset.ts";

/**
 * What of a multipart body a scan reads as text: all but the content of image, audio and video files,
 * which are media by their position in the form (design section 7). Whatever is unclear is text: a
 * boundary that is not plainly there, odd part headers, a delimiter that another parser might see.
 * Text comes as UTF-8; null: a part's charset is one that nobody here can read.
 */
export function multipartText(bytes: Uint8Array, contentType: string): Uint8Array | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return bytes;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept: Uint8Array[] = [];
  let keptFrom = 0;
  for (const { head, start, end } of partsOf(body, `--${boundary}`)) {
    const content = body.subarray(start, end);
    const text = isMediaFile(head) ? nothing : utf8Of(content, head);
    if (text === null) return null;
    if (text === content) continue;
    kept.push(body.subarray(keptFrom, start), text);
    keptFrom = end;
  }
  if (keptFrom === 0) return bytes;
  kept.push(body.subarray(keptFrom));
  return Buffer.concat(kept);
}

function boundaryOf(contentType: string): string | null {
  const found = [...contentType.matchAll(/boundary\s*\*?\d*\*?\s*=\s*("[^"]*"|[^;\s]*)/gi)];
  const value = found[0]?.[1]?.replace(/^"|"$/g, "") ?? "";
  return found.length === 1 && /^[\w'()+,./:=?-]{1,70}$/.test(value) ? value : null;
}

const nothing = new Uint8Array();

interface Part {
  /** Its header lines, each behind its line break. */
  readonly head: string;
  /** Its content. */
  readonly start: number;
  readonly end: number;
}

function* partsOf(body: Buffer, delimiter: string): Generator<Part> {
  let at = body.indexOf(delimiter);
  while (at >= 0) {
    const head = at + delimiter.length;
    const next = body.indexOf(delimiter, head);
    if (next < 0) return;
    const content = body.subarray(0, Math.min(next, head + multipartHeadBytesMax));
    const headEnd = content.indexOf("\r\n\r\n", head);
    const isDelimited = beginsLine(body, at) && beginsLine(body, next);
    if (headEnd >= 0 && headEnd + 4 <= next - 2 && isDelimited) {
      yield { head: content.toString("latin1", head, headEnd), start: headEnd + 4, end: next - 2 };
    }
    at = next;
  }
}

/** Elsewhere the delimiter is text, of which a part's head would be a forgery. */
function beginsLine(body: Buffer, at: number): boolean {
  return at === 0 || body.toString("latin1", at - 2, at) === "\r\n";
}

/** A part's header lines, `head` beginning with the line break after the delimiter. */
function isMediaFile(head: string): boolean {
  if (!/^(?:\r\n[!-9;-~]+:[\t\x20-\x7e\x80-\xff]*)+$/.test(head)) return false;
  const ofName = (name: string): string[] =>
    head.split("\r\n").filter((line) => line.toLowerCase().startsWith(`${name}:`));
  const [disposition, ...moreDispositions] = ofName("content-disposition");
  const [type, ...moreTypes] = ofName("content-type");
  if (disposition === undefined || type === undefined) return false;
  if (moreDispositions.length + moreTypes.length > 0) return false;
  return /;\s*filename\*?=/i.test(disposition) && /:\s*(?:image|audio|video)\//i.test(type);
}
