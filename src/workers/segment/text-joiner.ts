import {
  injectionTextBytesMax,
  injectionTextBytesMin,
  injectionTextOverlapBytes,
} from "../../contract/limits.ts";
import type { ScoredSegment } from "../../detectors/injection/detector.ts";
import * as ascii from "../../json/ascii.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { Leaf, LeafVisitor } from "./leaf.ts";
import { Walk } from "./walk.ts";
import { splitWrappers } from "./wrappers.ts";
import { decodedPieces } from "./text-cut.ts";

/** A leaf, or a harness's text in a leaf, with the kind that it is scored as. */
export type ScoredLeaf = Omit<Leaf, "segment"> & { readonly segment: ScoredSegment };

/** A leaf's part in a text: its bytes `from` to `until`. */
export interface Span {
  readonly leaf: ScoredLeaf;
  readonly from: number;
  readonly until: number;
}

/**
 * UTF-8 that is scored as one text. Buffer and list are valid only during the call that receives
 * them.
 */
export interface Text {
  readonly utf8: Buffer;
  readonly segment: ScoredSegment;
  readonly spans: readonly Span[];
}

/**
 * Turns a request's leaves into texts of at most `injectionTextBytesMax` bytes. Neighbours in one
 * message or tool become one text, a line each: a schema has hundreds of words in as many leaves, and
 * an attack may be spread over several. Short texts of different messages are joined too. A long leaf
 * becomes several texts that overlap. Texts that a coding agent's harness put into a user's text
 * become separate texts (docs/decisions/0039-what-a-harness-wrote.md).
 */
export class TextJoiner implements LeafVisitor {
  /** All leaves seen, scored or not. */
  leaves = 0;
  readonly #bytes: Uint8Array;
  readonly #view: Buffer;
  readonly #take: (text: Text) => void;
  readonly #utf8: Buffer;
  readonly #joinedBytesMax: number;
  #length = 0;
  #spans: Span[] = [];
  /** The first backslash from a leaf's start on; leaves come in ascending order. */
  #backslashAt = -1;

  /**
   * `buffer`: for joining texts, `injectionTextBytesMax` long; free again after `flush`.
   * `joinsMessages` false: a text never extends beyond its message, even if it is short.
   */
  constructor(bytes: Uint8Array, buffer: Buffer, take: (text: Text) => void, joinsMessages = true) {
    this.#joinedBytesMax = joinsMessages ? injectionTextBytesMin : 0;
    this.#bytes = bytes;
    this.#view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#utf8 = buffer;
    this.#take = take;
  }

  leaf(leaf: Leaf): void {
    this.leaves++;
    if (!isScored(leaf)) return;
    const parts = leaf.segment === "user" ? splitWrappers(this.#view, leaf.start, leaf.end) : null;
    if (parts === null) return this.#addLeaf(leaf);
    const harness: ScoredLeaf = { ...leaf, segment: "harness" };
    for (const { isHarness, start, end } of parts) {
      this.part(isHarness ? harness : leaf, start, end);
    }
  }

  /** Adds a part of a string as a text of its own, of the kind that `leaf` says. */
  part(leaf: ScoredLeaf, start = leaf.start, end = leaf.end): void {
    if (!this.#continues(leaf)) this.flush();
    this.#add(leaf, start, end);
  }

  #addLeaf(leaf: ScoredLeaf): void {
    if (!this.#continues(leaf)) this.flush();
    if (leaf.form === "serialized") this.#addSerialized(leaf);
    else this.#add(leaf, leaf.start, leaf.end);
  }

  unscanned(): void {
    // Not text.
  }

  /** Passes on the remaining text; call it after the last leaf. */
  flush(): void {
    const [first] = this.#spans;
    if (first === undefined) return;
    const { segment } = first.leaf;
    this.#take({ utf8: this.#utf8.subarray(0, this.#length), segment, spans: this.#spans });
    this.#length = 0;
    this.#spans = [];
  }

  /** Whether the leaf belongs to the text that has begun. */
  #continues({ place, segment }: ScoredLeaf): boolean {
    const [first] = this.#spans;
    if (first === undefined) return true;
    if (first.leaf.segment !== segment) return false;
    // Short texts of several messages are joined, because a request can hold millions of texts of
    // one letter, and each search costs a microsecond.
    return first.leaf.place.top === place.top || this.#length < this.#joinedBytesMax;
  }

  /** Adds the strings and keys of JSON text, decoded, because escapes would hide words. */
  #addSerialized(leaf: ScoredLeaf): void {
    const words: LeafVisitor = {
      leaf: ({ start, end }) => this.#add(leaf, start, end),
      unscanned: () => {},
    };
    new Walk(new JsonReader(this.#bytes, leaf.start), words).all(leaf.place, null);
  }

  /**
   * Adds the contents of a JSON string. The end of a text depends on the strings' content, not on their
   * spelling, so equal texts score equally.
   */
  #add(leaf: ScoredLeaf, start: number, end: number): void {
    // Text is never longer than its escaped form.
    if (this.#fits(end - start)) return this.#write(leaf, start, end);
    const [max, overlap] = [injectionTextBytesMax, injectionTextOverlapBytes];
    for (const piece of decodedPieces(this.#view, start, end, max, overlap)) {
      if (!this.#fits(piece.length)) this.flush();
      const from = this.#begin();
      this.#utf8.set(piece, from);
      this.#end(leaf, from + piece.length);
    }
  }

  /** Whether this many bytes fit, with the line break before them. */
  #fits(bytes: number): boolean {
    return this.#length + 1 + bytes <= injectionTextBytesMax;
  }

  #write(leaf: ScoredLeaf, start: number, end: number): void {
    const from = this.#begin();
    const length = this.#hasEscape(start, end)
      ? this.#utf8.write(decodeString(this.#view, start, end), from)
      : this.#view.copy(this.#utf8, from, start, end);
    this.#end(leaf, from + length);
  }

  /** Returns where the next leaf begins in the text, on a line of its own. */
  #begin(): number {
    if (this.#length > 0) this.#utf8[this.#length++] = ascii.lineFeed;
    return this.#length;
  }

  #end(leaf: ScoredLeaf, until: number): void {
    this.#spans.push({ leaf, from: this.#length, until });
    this.#length = until;
  }

  #hasEscape(start: number, end: number): boolean {
    if (this.#backslashAt < start) {
      const found = this.#view.indexOf(ascii.backslash, start);
      this.#backslashAt = found === -1 ? Infinity : found;
    }
    return this.#backslashAt < end;
  }
}

function isScored(leaf: Leaf): leaf is Leaf & ScoredLeaf {
  return leaf.segment !== null;
}
