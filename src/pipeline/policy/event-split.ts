import { policyEventBytesMax } from "../../contract/limits.ts";
import { LineEnds } from "../../sse/line-ends.ts";

/**
 * Cuts an SSE stream into its events as soon as each is complete. An event includes the empty line that ends
 * it. If a CR ends a chunk and its LF comes later, the LF stands at the beginning of the next event, which
 * does not change how that event is read.
 */
export class EventSplit {
  /**
   * The bytes from `#start` to `#end` belong to an event that is not complete yet. After them there is free
   * room.
   */
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  readonly #lines = new LineEnds();

  /** Returns the events that are complete now; null if one is longer than the limit. */
  push(chunk: Buffer): readonly Buffer[] | null {
    this.#add(chunk);
    const chunkStart = this.#end - chunk.length;
    const events: Buffer[] = [];
    const lines = this.#lines;
    lines.begin(chunk);
    while (lines.next()) {
      if (!lines.isEmpty) continue;
      const end = chunkStart + lines.behind;
      events.push(this.#bytes.subarray(this.#start, end));
      this.#start = end;
    }
    return this.#end - this.#start > policyEventBytesMax ? null : events;
  }

  /** The bytes that no empty line has ended yet. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** The buffer doubles, so an event in many small chunks is copied a few times and not once per chunk. */
  #add(chunk: Buffer): void {
    const rest = this.rest();
    if (rest.length === 0) this.#moveTo(chunk, chunk.length);
    else {
      const needed = rest.length + chunk.length;
      if (this.#start + needed > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(2 * needed);
        larger.set(rest);
        this.#moveTo(larger, rest.length);
      }
      // The bytes after `#end` belong to no event that was returned, so those events keep their bytes.
      this.#bytes.set(chunk, this.#end);
      this.#end += chunk.length;
    }
  }

  #moveTo(bytes: Buffer, end: number): void {
    this.#bytes = bytes;
    this.#start = 0;
    this.#end = end;
  }
}
