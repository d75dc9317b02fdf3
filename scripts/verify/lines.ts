export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A longer line is not an event, record or proof. It is cut there, so its verification fails. */
const lineBytesMax = 16 * 1024 * 1024;

/**
 * The lines of a file, byte for byte, without their line feeds, including the text after the last
 * one.
 */
export async function* linesOf(chunks: Chunks): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      yield Buffer.concat([...pending, bytes.subarray(start, at)]);
      pending = [];
      pendingBytes = 0;
      start = at + 1;
    }
    // A copy, because a stream may reuse its memory.
    pending.push(Buffer.from(bytes.subarray(start)));
    pendingBytes += bytes.length - start;
    if (pendingBytes > lineBytesMax) break;
  }
  const rest = Buffer.concat(pending);
  if (rest.length > 0) yield rest;
}
