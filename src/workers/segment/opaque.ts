import { decodeString } from "../../json/string.ts";

/** Members that hold what only the provider can read, or bytes: never a text. */
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

/** Shorter strings are names, numbers and words, whatever holds them. */
const opaqueCharsMin = 16;
/** A credential is shorter, a medium seldom. */
const mediumCharsMin = 256;
/** Lines of base64 (RFC 2045), which have up to 76 characters; what is broken after a word is text. */
const lineCharsMin = 60;

/**
 * Whether a string that the member `key` holds, itself or in lists, is no text, for rules to search
 * and edit: the position says that it may be a medium, and what it says that it is one. A sentence
 * there is text, and so is base64 anywhere else.
 */
export function isOpaque(key: string, text: string): boolean {
  if (text.length < opaqueCharsMin) return false;
  if (sealedMembers.has(key)) return isBase64(text);
  if (!media.has(key)) return false;
  if (/^data:/i.test(text)) return isDataUrl(text);
  if (mediaUrls.has(key) && /^https?:/i.test(text)) return isWord(text);
  return text.length >= mediumCharsMin && isBase64(text);
}

/** Whether `isOpaque` could be true of some string that the member `key` holds. */
export function mayBeOpaque(key: string): boolean {
  return sealedMembers.has(key) || media.has(key);
}

/** `isOpaque` of the JSON string between `start` and `end`, which is decoded only where it may be. */
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
