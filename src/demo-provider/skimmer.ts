/**
 * The members of a JSON object that were small enough to keep, and only the names of the others.
 */
export interface SkimmedObject {
  readonly members: ReadonlyMap<string, string>;
  readonly oversized: ReadonlySet<string>;
}

/** A longer value is skipped. A model name, tools and flags are far smaller. */
const memberBytesMax = 65_536;
/** The most members that are kept; a provider's schema has fewer than 60. */
const membersMax = 128;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Reads the top-level members of a JSON object of any size while it arrives, in flat memory: no value
 * longer than 64 KiB is kept, and strings are skipped at the speed of `indexOf`. It shares no code
 * with the gateway's own scanner, because it plays the other side of the wire.
 *
 * It finds the ends of values but does not check what is between them.
 */
export class Skimmer {
  readonly #members = new Map<string, string>();
  readonly #oversized = new Set<string>();
  #depth = 0;
  #inString = false;
  #escaped = false;
  /**
   * The offset of the chunk's next backslash; -1: there is none; an offset before the position:
   * search again.
   */
  #nextBackslash = -2;
  #malformed = false;
  /** `key`: a top-level key is being read; `value`: what follows its colon. */
  #keeping: "nothing" | "key" | "value" = "nothing";
  #key: string | null = null;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  /** The member as JSON text, if it has already ended. */
  member(name: string): string | undefined {
    return this.#members.get(name);
  }

  push(chunk: Buffer): void {
    let keepFrom = 0;
    this.#nextBackslash = -2;
    let i = 0;
    while (i < chunk.length) {
      if (this.#inString) {
        i = this.#skipString(chunk, i);
        if (this.#keeping === "key") this.#endKey(chunk.subarray(keepFrom, i));
        continue;
      }
      const byte = chunk[i];
      if (byte === quote) {
        this.#inString = true;
        if (this.#depth === 1 && this.#key === null) {
          this.#keeping = "key";
          keepFrom = i;
        }
      } else if (byte === 0x7b || byte === 0x5b) {
        this.#depth += 1;
      } else if (byte === 0x7d || byte === 0x5d || byte === 0x2c) {
        if (this.#depth === 1) this.#endMember(chunk.subarray(keepFrom, i));
        if (byte !== 0x2c) this.#depth -= 1;
      } else if (byte === 0x3a && this.#depth === 1 && this.#keeping === "nothing") {
        this.#keeping = "value";
        keepFrom = i + 1;
      }
      i += 1;
    }
    if (this.#keeping !== "nothing") this.#keep(chunk.subarray(keepFrom));
  }

  /** The result, or null if the input was not one complete JSON object. */
  end(): SkimmedObject | null {
    if (this.#malformed || this.#depth !== 0 || this.#inString) return null;
    return { members: this.#members, oversized: this.#oversized };
  }

  /** The index after the string's closing quote, or the chunk's end. */
  #skipString(chunk: Buffer, from: number): number {
    let i = from;
    if (this.#escaped) {
      this.#escaped = false;
      i += 1;
    }
    for (;;) {
      const end = chunk.indexOf(quote, i);
      const stop = end === -1 ? chunk.length : end;
      // The offset is remembered between strings. Otherwise a chunk of many short strings without a
      // backslash would be read to its end for every string.
      if (this.#nextBackslash !== -1 && this.#nextBackslash < i) {
        this.#nextBackslash = chunk.indexOf(backslash, i);
      }
      if (this.#nextBackslash !== -1 && this.#nextBackslash < stop) {
        i = this.#nextBackslash + 2;
        if (i <= chunk.length) continue;
        this.#escaped = true;
        return chunk.length;
      }
      if (end === -1) return chunk.length;
      this.#inString = false;
      return end + 1;
    }
  }

  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes <= memberBytesMax) this.#kept.push(Buffer.from(bytes));
    else this.#kept = [];
  }

  /** Ends the key with these last bytes, unless it continues in the next chunk. */
  #endKey(lastBytes: Buffer): void {
    if (this.#inString) return;
    this.#keep(lastBytes);
    const key: unknown = parsed(Buffer.concat(this.#kept).toString());
    this.#startAnew();
    if (typeof key === "string") this.#key = key;
    else this.#malformed = true;
  }

  #endMember(lastBytes: Buffer): void {
    if (this.#keeping === "value" && this.#key !== null) {
      this.#keep(lastBytes);
      if (this.#members.size + this.#oversized.size >= membersMax) this.#malformed = true;
      else if (this.#keptBytes > memberBytesMax) this.#oversized.add(this.#key);
      else this.#members.set(this.#key, Buffer.concat(this.#kept).toString());
    } else if (this.#key !== null) {
      this.#malformed = true;
    }
    this.#key = null;
    this.#startAnew();
  }

  #startAnew(): void {
    this.#keeping = "nothing";
    this.#kept = [];
    this.#keptBytes = 0;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
