const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Behind every chunk. */
const nowhere = 0x3fffffff;
const noBytes = Buffer.alloc(0);

/**
 * The grammar of an event stream, for everything that reads one: a line ends with LF, CR LF or CR, and
 * an empty line ends an event (WHATWG HTML, section 9.2.6). It reads chunk by chunk, however the stream
 * is cut, keeps no bytes and searches each byte once.
 *
 *     lines.begin(chunk);
 *     while (lines.next()) …; // `start`, `end`, `behind` are places in the chunk
 *     // what is left, from `start` to `end`, is of a line that is not whole
 *
 * A CR at the end of a chunk may be half of a CR LF. If the line before ended with a CR alone, this one
 * ends at once too. Otherwise it waits for the next byte, or for the stream's end. If a LF still
 * follows, it belongs to that line's end and begins no line.
 */
export class LineEnds {
  /** The start of the line's part in this chunk. */
  start = 0;
  /** Where the line's content ends, before its CR or LF. */
  end = 0;
  /** Behind the line's end. */
  behind = 0;
  /** The line that ended last was empty, and ended an event. */
  isEmpty = false;
  #chunk: Buffer = noBytes;
  /** The next LF and CR of the chunk, as far as they have been looked for. */
  #lineFeed = 0;
  #carriageReturn = 0;
  /** Something of the line has come before this chunk. */
  #isBegun = false;
  /** The last byte was a CR that has not ended its line yet. */
  #isOpen = false;
  /** The last byte was a CR that has ended its line. */
  #isTaken = false;
  /** The line that ended last did so with a CR alone. */
  #isBare = false;

  /** Nothing has come of the next line. */
  get isAtStart(): boolean {
    return !this.#isBegun && !this.#isOpen;
  }

  begin(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#lineFeed = -1;
    this.#carriageReturn = placeOf(chunk, carriageReturn, 0);
    this.behind = 0;
    if (this.#isTaken && chunk.length > 0) {
      this.#isTaken = false;
      if (chunk[0] === lineFeed) {
        this.behind = 1;
        this.#isBare = false;
      }
    }
  }

  /** Goes on to the next line's end. */
  next(): boolean {
    const chunk = this.#chunk;
    const start = this.behind;
    if (start === chunk.length) {
      this.start = this.end = start;
      return false;
    }
    if (this.#isOpen) return this.#resolve(chunk[0] === lineFeed ? 1 : 0);
    this.start = start;
    // Every other line is empty, and needs no search.
    const first = chunk[start];
    if (first === lineFeed) return this.#ended(start, start + 1, false);
    if (first === carriageReturn && chunk[start + 1] === lineFeed) {
      return this.#ended(start, start + 2, false);
    }
    if (this.#lineFeed < start) this.#lineFeed = placeOf(chunk, lineFeed, start);
    if (this.#carriageReturn < start) this.#carriageReturn = placeOf(chunk, carriageReturn, start);
    const feed = this.#lineFeed;
    const bare = this.#carriageReturn;
    if (feed < bare) return this.#ended(feed, feed + 1, false);
    return this.#bareOrPaired(chunk.length, feed, bare);
  }

  /** The stream is over: true if a waiting CR has ended a line. */
  finish(): boolean {
    return this.#isOpen && this.#resolve(0);
  }

  /**
   * Instead of `next` for a chunk that begins with a line: true if the chunk certainly ends with an
   * event; does not read its lines.
   */
  endsEvent(chunk: Buffer): boolean {
    if (this.#isBegun || this.#isOpen) return false;
    const { length } = chunk;
    const last = chunk[length - 1];
    const before = chunk[length - 2];
    const isBare = last === carriageReturn;
    if (isBare) {
      if (before !== carriageReturn) return false;
    } else {
      if (last !== lineFeed) return false;
      // LF LF, else LF CR LF or CR CR LF.
      if (before !== lineFeed && !(before === carriageReturn && isBreak(chunk[length - 3]))) {
        return false;
      }
    }
    this.#isBare = isBare;
    this.#isTaken = isBare;
    return true;
  }

  /** Where a CR comes before the next LF, or neither comes. */
  #bareOrPaired(length: number, feed: number, bare: number): boolean {
    if (bare === nowhere) return this.#cut(length);
    if (feed === bare + 1) return this.#ended(bare, feed + 1, false);
    if (bare + 1 < length) return this.#ended(bare, bare + 1, true);
    if (this.#isBare) {
      this.#isTaken = true;
      return this.#ended(bare, bare + 1, true);
    }
    this.#isOpen = true;
    return this.#cut(bare);
  }

  #ended(end: number, behind: number, isBare: boolean): true {
    this.isEmpty = end === this.start && !this.#isBegun;
    this.#isBegun = false;
    this.#isBare = isBare;
    this.end = end;
    this.behind = behind;
    return true;
  }

  /** The line goes on in the next chunk. */
  #cut(end: number): false {
    if (end > this.start) this.#isBegun = true;
    this.end = end;
    return false;
  }

  /** The CR before this chunk ends its line, together with so many more bytes. */
  #resolve(bytes: 0 | 1): true {
    this.#isOpen = false;
    this.start = 0;
    return this.#ended(0, bytes, bytes === 0);
  }
}

function placeOf(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at < 0 ? nowhere : at;
}

/** The start of the first line break of `bytes`; -1: there is none. */
export function firstBreak(bytes: Buffer): number {
  const feed = bytes.indexOf(lineFeed);
  const bare = bytes.indexOf(carriageReturn);
  return feed < 0 || bare < 0 ? Math.max(feed, bare) : Math.min(feed, bare);
}

/** The end of the last line break of `bytes`; 0: there is none. */
export function behindLastBreak(bytes: Buffer): number {
  return Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1;
}

/** Whether the byte is one of those that end lines. */
export function isBreak(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** The line, without its end, in which `at` lies. */
export function lineAround(bytes: Buffer, at: number): { start: number; end: number } {
  // Byte by byte, because a search would run to the end of the bytes if one of the two is absent.
  let start = at;
  while (start > 0 && !isBreak(bytes[start - 1])) start -= 1;
  let end = at;
  while (end < bytes.length && !isBreak(bytes[end])) end += 1;
  return { start, end };
}
