import { decodeString } from "../../json/string.ts";

/** Members that hold bytes or data that only the provider can read, but never text. */
export const sealedMembers: ReadonlySet<string> = new Set([
  "b64_json",
  "embedding",
  "encrypted_content",
  "encrypted_index",
  "encrypted_stdout",
  "partial_image_b64",
  "signature",
  "thoughtSignature",
  "thought_signature",
]);

/** Members that hold a medium, or a text that happens to have such a name. */
const media = new Set([
  "audio",
  "audio_url",
  "b64",
  "base64",
  "bytes",
  "data",
  "file",
  "file_data",
  "file_url",
  "image",
  "image_url",
  "images",
  "input_audio",
  "input_image",
  "mask",
  "result",
  "url",
  "video",
  "video_url",
]);

const mediaUrls = new Set(["audio_url", "file_url", "image_url", "video_url"]);

/** Shorter strings are names, numbers and words in any member. */
const opaqueCharsMin = 16;
/** A credential is shorter; a medium is seldom shorter. */
const mediumCharsMin = 256;
/**
 * The least length of a line of base64 (RFC 2045), which has up to 76 characters. Shorter lines are
 * text.
 */
const lineCharsMin = 60;

/**
 * Whether a string in the member `key`, directly or in lists, is not text, so that rules do not
 * search or edit it. Its member must be one for media, and its content must look like a medium. A
 * sentence in such a member is text, and so is base64 in any other member.
 */
export function isOpaque(key: string, text: string): boolean {
  if (text.length < opaqueCharsMin) return false;
  if (sealedMembers.has(key)) return isBase64(text);
  if (!media.has(key)) return false;
  if (/^data:/i.test(text)) return isDataUrl(text);
  if (mediaUrls.has(key) && /^https?:/i.test(text)) return isWord(text);
  return text.length >= mediumCharsMin && isBase64(text);
}

/** Whether `isOpaque` can be true for any string in the member `key`. */
export function mayBeOpaque(key: string): boolean {
  return sealedMembers.has(key) || media.has(key);
}

/**
 * `isOpaque` for the JSON string between `start` and `end`. The string is decoded only if the result
 * may be true.
 */
export function isOpaqueAt(key: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < opaqueCharsMin || !mayBeOpaque(key)) return false;
  return isOpaque(key, decodeString(bytes, start, end));
}

/** One word of printable ASCII, as URLs and base64 are. */
function isWord(text: string): boolean {
  return !/[^\x21-\x7e]/.test(text);
}

/** Base64 of either alphabet, whole or in lines. */
export function isBase64(text: string): boolean {
  if (/[^\w+/=\r\n-]/.test(text)) return false;
  const lines = text.split(/\r?\n/);
  return lines.slice(0, -1).every((line) => line === "" || line.length >= lineCharsMin);
}

/** A URL that holds its data in base64. */
export function isDataUrl(text: string): boolean {
  const comma = text.indexOf(",");
  return (
    /;base64$/i.test(text.slice(0, comma)) &&
    isWord(text.slice(0, comma)) &&
    isBase64(text.slice(comma + 1))
  );
}
