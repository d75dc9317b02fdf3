import * as ascii from "../../json/ascii.ts";
import { JsonReader } from "../../json/reader.ts";

/**
 * A JSON body as the response cache compares it: without the white space between its tokens, which means
 * nothing in JSON (RFC 8259, section 2). Nothing else is changed. The order of members, duplicates, the
 * spelling of numbers and string escapes stay, because a provider may treat bodies differently that differ in
 * one of them. `bytes` must be valid JSON; shared memory is allowed.
 */
export function canonicalBody(bytes: Uint8Array): Buffer {
  const reader = new JsonReader(bytes);
  const canonical = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === ascii.quote) {
      reader.at = at;
      reader.skip();
      canonical.set(bytes.subarray(at, reader.end), length);
      length += reader.end - at;
      at = reader.end;
      continue;
    }
    // Between the tokens of valid JSON, only white space has codes up to this one.
    if (byte > ascii.space) {
      canonical[length] = byte;
      length += 1;
    }
    at += 1;
  }
  return canonical.subarray(0, length);
}
