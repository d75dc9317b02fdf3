import * as ascii from "../../json/ascii.ts";
import { JsonReader } from "../../json/reader.ts";

/**
 * A JSON body as the response cache compares it: without the white space between its tokens, which
 * means nothing in JSON (RFC 8259, section 2), and with nothing else changed. The order of members,
 * duplicates, the spelling of numbers and the escapes of strings stay, for a provider may read two
 * bodies differently that differ in one of them. `bytes` must be valid JSON; shared memory will do.
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
    // Between the tokens of valid JSON nothing else stands this low.
    if (byte > ascii.space) {
      canonical[length] = byte;
      length += 1;
    }
    at += 1;
  }
  return canonical.subarray(0, length);
}
