import { multipartHeadBytesMax, multipartDelimitersMax } from "../../contract/limits.ts";
import { utf8Of } from "./charset.ts";

/**
 * The text that a scan reads of a multipart body: everything except the content of image, audio and video
 * files. Those are media by their position in the form (design section 7). In doubt it is text: a boundary
 * that is not clearly there, odd part headers, a delimiter that another parser might see. The text is UTF-8.
 * null if there are too many parts, or if a part is in a charset that the gateway can't read, or in a
 * transfer encoding, which forms must not use (RFC 7578, section 4.7).
 */
export function multipartText(bytes: Uint8Array, contentType: string): Uint8Array | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return bytes;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const delimiter = `--${boundary}`;
  const delimiters = placesOf(body, delimiter);
  if (delimiters.length > multipartDelimitersMax) return null;
  const kept: Uint8Array[] = [];
  let keptFrom = 0;
  for (const { head, start, end } of partsOf(body, delimiters, delimiter.length)) {
    const content = body.subarray(start, end);
    const text = isMediaFile(head) ? nothing : isPlain(head) ? utf8Of(content, head) : null;
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
  const found = [...contentType.matchAll(/boundary[\s*\d]*=\s*("[^"]*"|[^;\s]*)/gi)];
  const value = found[0]?.[1]?.replace(/^"|"$/g, "") ?? "";
  return found.length === 1 && /^[\w'()+,./:=?-]{1,70}$/.test(value) ? value : null;
}

const nothing = new Uint8Array();

interface Part {
  /** The header lines, each after its line break. */
  readonly head: string;
  /** Its content. */
  readonly start: number;
  readonly end: number;
}

/** The offsets of the delimiter, at most one more than allowed. */
function placesOf(body: Buffer, delimiter: string): number[] {
  const places: number[] = [];
  let at = body.indexOf(delimiter);
  while (at >= 0 && places.length <= multipartDelimitersMax) {
    places.push(at);
    at = body.indexOf(delimiter, at + delimiter.length);
  }
  return places;
}

function* partsOf(
  body: Buffer,
  delimiters: readonly number[],
  delimiterLength: number,
): Generator<Part> {
  for (const [i, at] of delimiters.entries()) {
    const next = delimiters[i + 1];
    if (next === undefined) return;
    const head = at + delimiterLength;
    const content = body.subarray(0, Math.min(next, head + multipartHeadBytesMax));
    const headEnd = content.indexOf("\r\n\r\n", head);
    const isDelimited = beginsLine(body, at) && beginsLine(body, next);
    if (headEnd >= 0 && headEnd + 4 <= next - 2 && isDelimited) {
      yield { head: content.toString("latin1", head, headEnd), start: headEnd + 4, end: next - 2 };
    }
  }
}

/** Elsewhere the delimiter is text, and a part head after it would be forged. */
function beginsLine(body: Buffer, at: number): boolean {
  return at === 0 || body.toString("latin1", at - 2, at) === "\r\n";
}

/** Reads a part's header lines. `head` begins with the line break after the delimiter. */
function isMediaFile(head: string): boolean {
  if (!/^(?:\r\n[!-9;-~]+:[\t\x20-\x7e\x80-\xff]*)+$/.test(head)) return false;
  const [disposition = "", ...moreDispositions] = valuesOf(head, "content-disposition");
  const [type = "", ...moreTypes] = valuesOf(head, "content-type");
  if (moreDispositions.length + moreTypes.length > 0) return false;
  // An SVG is text.
  return isFile(disposition) && /^(?:image(?!\/svg)|audio|video)\//i.test(type);
}

/**
 * Whether every parser treats the part as a file. Without a file name, or with an empty one, some parsers
 * read it as a field. Odd quoting is read in several ways.
 */
function isFile(disposition: string): boolean {
  const kind = /^form-data(?=;)/i.exec(disposition)?.[0];
  if (kind === undefined) return false;
  const parameters = disposition.slice(kind.length);
  const parameter =
    /;[\t ]*(?:(name|filename)=(?:"[^"\\]+"|[^"\\;,\s]+)|(filename\*)=[\w-]+'[\w-]*'[^"\\;,\s']+)[\t ]*/giy;
  const names: string[] = [];
  let end = 0;
  for (const [text, plain, extended] of parameters.matchAll(parameter)) {
    names.push((plain ?? extended ?? "").toLowerCase());
    end += text.length;
  }
  const isOnce = new Set(names).size === names.length;
  return end === parameters.length && isOnce && names.includes("filename");
}

/** Transfer encodings that need no decoding. */
const plainTransfer = /^(?:7bit|8bit|binary)$/i;

/** False if some parsers decode the part, for example from base64. */
function isPlain(head: string): boolean {
  return valuesOf(head, "content-transfer-encoding").every((value) => plainTransfer.test(value));
}

function valuesOf(head: string, name: string): string[] {
  const lines = head.split("\r\n").filter((line) => line.toLowerCase().startsWith(`${name}:`));
  return lines.map((line) => line.slice(name.length + 1).trim());
}
