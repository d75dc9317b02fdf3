import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import type { FlatHeaders, BufferedAnswer } from "./exchange.ts";

/** True if a content encoding has changed the answer's bytes. `identity` is no encoding. */
export function isEncoded(headers: FlatHeaders): boolean {
  return encodingsOf(headers).length > 0;
}

/**
 * The decoded answer, for a request that asked for no encoding: the gateway has to read the answer, and the
 * client may be unable to decode it. Returns the answer unchanged if it can't be decoded, or if it would be
 * longer than `bytesMax`.
 */
export async function decodedAnswer(
  buffered: BufferedAnswer,
  bytesMax: number,
): Promise<BufferedAnswer> {
  const [encoding = "", ...more] = encodingsOf(buffered.headers);
  const decode = decoders.get(encoding);
  if (decode === undefined || more.length > 0) return buffered;
  try {
    const body = await decode(buffered.body, { maxOutputLength: bytesMax });
    return { ...buffered, headers: without(buffered.headers, "content-encoding"), body };
  } catch {
    return buffered;
  }
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

/** In lower case, in the order in which they were applied, without those that change nothing. */
function encodingsOf(headers: FlatHeaders): readonly string[] {
  if (!headers.includes("content-encoding")) return none;
  return headers
    .filter((_, i) => i % 2 === 1 && headers[i - 1] === "content-encoding")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
}

const none: readonly string[] = [];

function without(headers: FlatHeaders, name: string): FlatHeaders {
  return headers.filter((_, i) => headers[i - (i % 2)] !== name);
}
