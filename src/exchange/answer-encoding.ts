import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import type { FlatHeaders, BufferedAnswer } from "./exchange.ts";

/** Whether an answer's bytes are other than what they stand for; `identity` is no encoding. */
export function isEncoded(headers: FlatHeaders): boolean {
  return encodingsOf(headers).length > 0;
}

/**
 * The answer without its encoding, for one that was asked for without: it has to be read, and the
 * client may not be able to. As it is where it can't be decoded, or is longer than `bytesMax` then.
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
