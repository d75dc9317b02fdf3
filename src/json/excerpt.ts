import * as ascii from "./ascii.ts";

/** What of a JSON text is kept. */
export interface ExcerptMembers {
  /** Members that are kept, in objects that are kept. */
  readonly kept: ReadonlySet<string>;
  /** Those of `kept` that are kept with everything below them. */
  readonly whole: ReadonlySet<string>;
}

/** An object or array that is kept and has not ended. */
interface Level {
  readonly isArray: boolean;
  readonly isWhole: boolean;
  hasMember: boolean;
}

/**
 * Keeps a few members of a JSON object that is too long to be held. It reads piece by piece, however the text
 * is cut, and is bounded: what is kept has at most `bytesMax` bytes, a key or value at most `tokenBytesMax`,
 * and objects nest at most `levelsMax` deep. Anything beyond these is left out. On bytes that are not JSON it
 * keeps nonsense, but always ends.
 */
export class JsonExcerpt {
  readonly #members: ExcerptMembers;
  readonly #bytesMax: number;
  readonly #levels: Level[] = [];
  #text = "";
  /** The bytes of the string or number that is being read, latin1; null: it is not kept. */
  #token: string | null = null;
  #isInString = false;
  #isEscaped = false;
  #isInScalar = false;
  /** How deep the cursor is inside something that is left out. */
  #skippedDepth = 0;
  /** The key whose value comes next, with its quotes; null: a key comes next, or an item. */
  #key: string | null = null;
  #isComplete = false;

  constructor(members: ExcerptMembers, bytesMax: number) {
    this.#members = members;
    this.#bytesMax = bytesMax;
  }

  /** What was kept, as JSON; null: the text has not ended, or too much of it was to be kept. */
  get kept(): Buffer | null {
    const isKept = this.#isComplete && this.#text.length <= this.#bytesMax;
    return isKept ? Buffer.from(this.#text, "latin1") : null;
  }

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.#isComplete) {
      if (this.#isInString) at = this.#readString(bytes, at);
      else this.#readByte(bytes[at++] ?? 0);
    }
  }

  #readByte(byte: number): void {
    if (this.#skippedDepth > 0) this.#skip(byte);
    else if (byte === ascii.quote) this.#beginString();
    else if (byte === ascii.openBrace || byte === ascii.openBracket) {
      this.#open(byte === ascii.openBracket);
    } else if (byte === ascii.closeBrace || byte === ascii.closeBracket) this.#close(byte);
    else if (byte === ascii.comma || isSpace(byte)) this.#endScalar();
    else if (byte !== colon) this.#readScalar(byte);
  }

  #skip(byte: number): void {
    if (byte === ascii.quote) this.#isInString = true;
    else if (byte === ascii.openBrace || byte === ascii.openBracket) this.#skippedDepth++;
    else if (byte === ascii.closeBrace || byte === ascii.closeBracket) this.#skippedDepth--;
    if (this.#skippedDepth === 0) this.#key = null;
  }

  #beginString(): void {
    if (this.#levels.length === 0) return;
    this.#isInString = true;
    this.#token = this.#isKey || this.#keepsNext ? '"' : null;
  }

  /** Reads on in a string. Returns the offset behind what it has read. */
  #readString(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at++];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === ascii.backslash) this.#isEscaped = true;
      else if (byte === ascii.quote) {
        this.#isInString = false;
        break;
      }
    }
    if (this.#token !== null) this.#extend(bytes.toString("latin1", from, at));
    if (!this.#isInString && this.#skippedDepth === 0) this.#endString();
    return at;
  }

  /** A key that is too long is none that is kept; a value that is too long is left out with its key. */
  #endString(): void {
    if (this.#isKey) this.#key = this.#token ?? longKey;
    else this.#endValue();
  }

  #readScalar(byte: number): void {
    if (this.#levels.length === 0) return;
    if (!this.#isInScalar) {
      this.#isInScalar = true;
      this.#token = this.#keepsNext ? "" : null;
    }
    if (this.#token !== null) this.#extend(String.fromCharCode(byte));
  }

  #endScalar(): void {
    if (!this.#isInScalar) return;
    this.#isInScalar = false;
    this.#endValue();
  }

  #endValue(): void {
    if (this.#token !== null) this.#write(this.#token);
    this.#token = null;
    this.#key = null;
  }

  #open(isArray: boolean): void {
    const levels = this.#levels;
    const isTop = levels.length === 0;
    if (isTop ? isArray : !this.#keepsNext || levels.length >= levelsMax) {
      this.#skippedDepth = 1;
      return;
    }
    const isWhole = !isTop && this.#isNextWhole;
    this.#write(isArray ? "[" : "{");
    this.#key = null;
    levels.push({ isArray, isWhole, hasMember: false });
  }

  #close(byte: number): void {
    this.#endScalar();
    if (this.#levels.pop() === undefined) return;
    this.#text += String.fromCharCode(byte);
    this.#isComplete = this.#levels.length === 0;
  }

  /** Begins a value, with its key and the comma before it. */
  #write(value: string): void {
    // Nothing is added to a text that is too long: it is not given out.
    if (this.#text.length > this.#bytesMax) return;
    const level = this.#levels.at(-1);
    if (level?.hasMember === true) this.#text += ",";
    if (level !== undefined) level.hasMember = true;
    this.#text += this.#key === null ? value : `${this.#key}:${value}`;
  }

  #extend(piece: string): void {
    const token = this.#token ?? "";
    this.#token = token.length + piece.length > tokenBytesMax ? null : token + piece;
  }

  /** Whether the next string is a key. */
  get #isKey(): boolean {
    return this.#key === null && this.#levels.at(-1)?.isArray === false;
  }

  /** Whether the value that begins here is kept. All items of an array that is kept are. */
  get #keepsNext(): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined) return false;
    return level.isWhole || level.isArray || this.#members.kept.has(this.#name);
  }

  get #isNextWhole(): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined) return false;
    return level.isWhole || (!level.isArray && this.#members.whole.has(this.#name));
  }

  /** Providers spell their keys without escapes. */
  get #name(): string {
    return this.#key?.slice(1, -1) ?? "";
  }
}

const colon = 0x3a;
const tokenBytesMax = 4096;
/** Stands for a key that is too long. */
const longKey = '"..."';
const levelsMax = 64;

function isSpace(byte: number): boolean {
  return (
    byte === ascii.space ||
    byte === ascii.lineFeed ||
    byte === ascii.carriageReturn ||
    byte === ascii.tab
  );
}
