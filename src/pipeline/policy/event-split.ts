import { policyEventBytesMax } from "../../contract/limits.ts";
import { LineEnds } from "../../sse/line-ends.ts";

/**
 * Cuts an SSE stream into its events, each with the empty line that ends it, as soon as that has come. A LF
 * that comes late behind its CR leads the next event, which reads the same with it.
 */
export class EventSplit {
  /** What has come from `#start` to `#end` is of an event that is not whole; behind it there is room. */
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  readonly #lines = new LineEnds();

  /** The events that have come whole; null: one is longer than can be read. */
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

  /** What no empty line has ended. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Each growth doubles: an event in many small chunks is copied a few times, not once for each. */
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
      // Behind the end nothing was given away: events that went on keep their bytes.
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
