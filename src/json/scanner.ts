import { jsonDepthMax, jsonTopLevelMembersMax } from "../contract/limits.ts";
import { closeBrace, openBrace } from "./ascii.ts";
import { LiteralToken, type Literal } from "./literal-token.ts";
import { NumberToken } from "./number-token.ts";
import { StringToken } from "./string-token.ts";
import type { Token } from "./token.ts";
import { TopLevelNotes, type JsonType, type Member, type TopLevel } from "./top-level.ts";
import { Utf8Check } from "./utf8.ts";

export type { JsonType, Member, TopLevel };

export interface JsonFault {
  /** Prose for a client; never quotes content. */
  readonly reason: string;
  /** The byte at which the text stopped being acceptable. */
  readonly offset: number;
}

/** The tokens that may come next, as a set of bits. */
const aValue = 1;
const aKey = 2;
const aColon = 4;
const aComma = 8;
const aClose = 16;

/**
 * Validates one JSON text (RFC 8259, strictly; UTF-8 included) while its bytes arrive, and records the
 * places of the top-level members, without parsing a value (design: Inspect). Accepts what `JSON.parse`
 * accepts, except a byte order mark, ill-formed UTF-8 and texts over the bounds `jsonDepthMax`,
 * `jsonTopLevelMembersMax` and `jsonNumberBytesMax`. Time is linear in the bytes under any chunking;
 * memory depends only on the number of members.
 */
export class JsonScanner {
  readonly #utf8 = new Utf8Check();
  readonly #string = new StringToken();
  readonly #number = new NumberToken();
  readonly #literal = new LiteralToken();
  /** The token that is incomplete so far, or undefined if the arrived bytes end between tokens. */
  #cut: Token | undefined;
  #expected = aValue;
  /** The containers that are open, outermost first: true for an object. */
  readonly #open: boolean[] = [];
  #inObject = false;
  #tokenIsKey = false;
  #at = 0;
  #fault: JsonFault | undefined;
  readonly #notes = new TopLevelNotes();

  /**
   * Reads on: `bytes.subarray(0, length)` is all that has arrived. The array and its buffer may be new
   * ones, shared or not, but earlier bytes must be unchanged. A fault stays. Some faults are only found
   * by `finish`.
   */
  grown(bytes: Uint8Array, length: number): JsonFault | undefined {
    return this.#advance(bytes, length, this.#utf8.grown(bytes, length));
  }

  /** Reads the rest; no more bytes follow. */
  finish(bytes: Uint8Array, length: number): JsonFault | TopLevel {
    const fault = this.#advance(bytes, length, this.#utf8.finish(bytes, length));
    if (fault !== undefined) return fault;
    if (this.#cut === this.#number && this.#number.complete) this.#endValue(length);
    const topLevel = this.#notes.topLevel;
    if (topLevel === undefined) return this.#fail("no JSON value", length);
    return this.#expected === 0 ? topLevel : this.#fail("unexpected end", length);
  }

  /** `illFormed` is the offset of the first bytes that are not UTF-8, if any. */
  #advance(
    bytes: Uint8Array,
    length: number,
    illFormed: number | undefined,
  ): JsonFault | undefined {
    if (illFormed !== undefined) this.#fail("not valid UTF-8", illFormed);
    const cut = this.#cut;
    if (cut !== undefined && this.#at < length) {
      this.#cut = undefined;
      this.#at = this.#read(cut, bytes, this.#at, length);
    }
    this.#readOn(bytes, length);
    return this.#fault;
  }

  /**
   * Bytes are written as numbers: V8 does not fold a module's constants, and a switch on them is 25 %
   * slower.
   */
  #readOn(bytes: Uint8Array, length: number): void {
    let at = this.#at;
    while (at < length && this.#fault === undefined) {
      const byte = bytes[at] ?? 0;
      switch (byte) {
        case 0x20: // space
        case 0x0a: // line feed
        case 0x0d: // carriage return
        case 0x09: // tab
          at++;
          break;
        case 0x22: // "
          at = this.#readString(bytes, at, length);
          break;
        case 0x2c: // ,
          if (this.#expects(aComma, at)) this.#expected = this.#inObject ? aKey : aValue;
          at++;
          break;
        case 0x3a: // :
          if (this.#expects(aColon, at)) this.#expected = aValue;
          at++;
          break;
        case 0x7b: // {
        case 0x5b: // [
          this.#openContainer(byte === openBrace, at);
          at++;
          break;
        case 0x7d: // }
        case 0x5d: // ]
          this.#closeContainer(byte === closeBrace, at);
          at++;
          break;
        case 0x74: // t
          at = this.#readLiteral("true", bytes, at, length);
          break;
        case 0x66: // f
          at = this.#readLiteral("false", bytes, at, length);
          break;
        case 0x6e: // n
          at = this.#readLiteral("null", bytes, at, length);
          break;
        default:
          at = this.#readNumber(bytes, at, length);
      }
    }
    this.#at = at;
  }

  #readString(bytes: Uint8Array, at: number, length: number): number {
    this.#tokenIsKey = (this.#expected & aKey) !== 0;
    const begun = this.#tokenIsKey ? this.#beginKey(at) : this.#beginValue("string", at);
    if (!begun) return at;
    this.#string.begin();
    return this.#read(this.#string, bytes, at + 1, length);
  }

  #readLiteral(name: Literal, bytes: Uint8Array, at: number, length: number): number {
    if (!this.#beginValue(name, at)) return at;
    this.#literal.begin(name);
    return this.#read(this.#literal, bytes, at, length);
  }

  #readNumber(bytes: Uint8Array, at: number, length: number): number {
    if (!NumberToken.beginsWith(bytes[at] ?? 0)) {
      this.#unexpected(at);
      return at;
    }
    if (!this.#beginValue("number", at)) return at;
    this.#number.begin(at);
    return this.#read(this.#number, bytes, at, length);
  }

  #read(token: Token, bytes: Uint8Array, from: number, length: number): number {
    const at = token.advance(bytes, from, length);
    if (token.fault !== undefined) this.#fail(token.fault, at);
    else if (!token.ended) this.#cut = token;
    else if (this.#tokenIsKey) this.#endKey(bytes, at);
    else this.#endValue(at);
    return at;
  }

  #openContainer(isObject: boolean, at: number): void {
    if (!this.#beginValue(isObject ? "object" : "array", at)) return;
    if (this.#open.length === jsonDepthMax) {
      this.#fail(`nesting deeper than ${jsonDepthMax}`, at);
      return;
    }
    this.#open.push(isObject);
    this.#inObject = isObject;
    this.#expected = aClose | (isObject ? aKey : aValue);
  }

  #closeContainer(isObject: boolean, at: number): void {
    if (!this.#expects(aClose, at)) return;
    if (this.#inObject !== isObject) return this.#unexpected(at);
    this.#open.pop();
    this.#inObject = this.#open[this.#open.length - 1] ?? false;
    this.#endValue(at + 1);
  }

  #beginKey(at: number): boolean {
    if (this.#notes.beginKey(at, this.#open.length)) return true;
    this.#fail(`more than ${jsonTopLevelMembersMax} top-level members`, at);
    return false;
  }

  #endKey(bytes: Uint8Array, end: number): void {
    this.#tokenIsKey = false;
    this.#expected = aColon;
    this.#notes.endKey(bytes, end, this.#open.length);
  }

  #beginValue(type: JsonType, at: number): boolean {
    if (!this.#expects(aValue, at)) return false;
    this.#notes.beginValue(type, at, this.#open.length);
    return true;
  }

  #endValue(end: number): void {
    const depth = this.#open.length;
    this.#expected = depth === 0 ? 0 : aComma | aClose;
    this.#notes.endValue(end, depth);
  }

  #expects(what: number, at: number): boolean {
    if ((this.#expected & what) !== 0) return true;
    this.#unexpected(at);
    return false;
  }

  #unexpected(at: number): void {
    this.#fail(this.#expected === 0 ? "content after the JSON value" : "unexpected byte", at);
  }

  #fail(reason: string, offset: number): JsonFault {
    this.#fault ??= { reason, offset };
    return this.#fault;
  }
}
