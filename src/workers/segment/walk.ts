import { jsonMemberNameBytesMax } from "../../contract/limits.ts";
import type { Segment } from "../../contract/scan.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { Leaf, LeafVisitor } from "./leaf.ts";
import { Place } from "./place.ts";

/**
 * The steps that the readers of the formats use. Each starts with the cursor at a value and leaves
 * the cursor after that value.
 */
export class Walk {
  readonly reader: JsonReader;
  readonly #visitor: LeafVisitor;

  constructor(reader: JsonReader, visitor: LeafVisitor) {
    this.reader = reader;
    this.#visitor = visitor;
  }

  /**
   * The model reads everything in this value. Each string and each key is a leaf. If `withNumbers`
   * is true, each number is a leaf too, as JSON text.
   */
  all(place: Place, segment: Segment | null, withNumbers = false): void {
    switch (this.reader.type()) {
      case "string":
        return this.string(place, segment);
      case "array":
        return this.items((index) => this.all(place.item(index), segment, withNumbers));
      case "object":
        return this.#allMembers(place, segment, withNumbers);
      case "number":
        return withNumbers ? this.serialized(place, segment) : this.reader.skip();
      default:
        return this.reader.skip();
    }
  }

  #allMembers(place: Place, segment: Segment | null, withNumbers: boolean): void {
    const reader = this.reader;
    reader.enter();
    for (let position = 0; reader.nextMember(); position++) {
      const { keyStart: start, keyEnd: end } = reader;
      const member = place.member(start, end, position);
      this.#visitor.leaf({ place: member, form: "key", segment, start, end });
      this.all(member, segment, withNumbers);
    }
  }

  /** The string at the cursor is a leaf. */
  string(place: Place, segment: Segment | null): void {
    this.reader.skip();
    const { start, end } = this.reader;
    this.#visitor.leaf({ place, form: "string", segment, start: start + 1, end: end - 1 });
  }

  /** The model reads the value at the cursor as JSON text. */
  serialized(place: Place, segment: Segment | null): void {
    this.reader.skip();
    const { start, end } = this.reader;
    this.#visitor.leaf({ place, form: "serialized", segment, start, end });
  }

  /**
   * The input of a tool call, with its numbers, because the other wire has them in a string of
   * arguments.
   */
  input(place: Place, segment: Segment | null): void {
    const type = this.reader.type();
    const isWhole =
      this.#visitor.readsInputsWhole === true && (type === "object" || type === "array");
    if (isWhole) this.serialized(place, segment);
    else this.all(place, segment, true);
  }

  /** A walk with the same cursor, for leaves that a signature covers. */
  signed(): Walk {
    return this.#marking(() => ({ isSigned: true }));
  }

  /** A walk with the same cursor, for leaves that are a tool's answer to a call of the model. */
  results(): Walk {
    return this.#marking(({ form }) => (form === "key" ? {} : { isResult: true }));
  }

  #marking(marks: (leaf: Leaf) => Pick<Leaf, "isSigned" | "isResult">): Walk {
    const visitor = this.#visitor;
    return new Walk(this.reader, {
      ...(visitor.readsInputsWhole === true ? { readsInputsWhole: true } : {}),
      leaf: (leaf) => visitor.leaf({ ...leaf, ...marks(leaf) }),
      unscanned: (place, start, end) => visitor.unscanned(place, start, end),
    });
  }

  /**
   * The value of a member that is in no schema, at the cursor: data, including its name. Call it before
   * the value is read.
   */
  unknown(member: Place): void {
    const { keyStart: start, keyEnd: end } = this.reader;
    this.#visitor.leaf({ place: member, form: "key", segment: "tool", start, end });
    this.all(member, "tool");
  }

  /** The model does not read this as text. */
  unscanned(place: Place): void {
    this.reader.skip();
    this.#visitor.unscanned(place, this.reader.start, this.reader.end);
  }

  /** The cursor is at an object; `visit` gets each member in turn, with the cursor at its value. */
  members(place: Place, visit: (member: Place, key: string) => void): void {
    const reader = this.reader;
    reader.enter();
    for (let position = 0; reader.nextMember(); position++) {
      visit(place.member(reader.keyStart, reader.keyEnd, position), this.#key());
    }
  }

  /** The cursor is at an array; `visit` gets each item's index, with the cursor at the item. */
  items(visit: (index: number) => void): void {
    this.reader.enter();
    for (let index = 0; this.reader.nextItem(); index++) visit(index);
  }

  /**
   * Looks ahead into the object at the cursor, which does not move: the values of all members with
   * this key. A value that is not a string, or is too long for a name, counts as "".
   */
  namesOf(key: string): string[] {
    const ahead = this.ahead();
    const { reader } = ahead;
    const names: string[] = [];
    ahead.members(nowhere, (_member, found) => {
      const isName = found === key && reader.type() === "string";
      reader.skip();
      const { start, end } = reader;
      if (found !== key) return;
      const isShort = end - start <= jsonMemberNameBytesMax;
      names.push(isName && isShort ? decodeString(reader.bytes, start + 1, end - 1) : "");
    });
    return names;
  }

  /** Looks ahead as `namesOf` does: whether a member with this key holds a string that is not empty. */
  hasText(key: string): boolean {
    const ahead = this.ahead();
    const { reader } = ahead;
    let found = false;
    ahead.members(nowhere, (_member, name) => {
      const isString = name === key && reader.type() === "string";
      reader.skip();
      if (isString && reader.end - reader.start > '""'.length) found = true;
    });
    return found;
  }

  /** A walk from the same cursor that moves apart and visits nothing. */
  ahead(): Walk {
    return new Walk(new JsonReader(this.reader.bytes, this.reader.at), silent);
  }

  /**
   * The member's key, folded, because some providers' JSON decoders ignore case. A long key is never a
   * known name.
   */
  #key(): string {
    const { bytes, keyStart, keyEnd } = this.reader;
    if (keyEnd - keyStart > jsonMemberNameBytesMax) return "";
    return decodeString(bytes, keyStart, keyEnd).toUpperCase().toLowerCase();
  }
}

const nowhere = Place.source("request");
const silent: LeafVisitor = {
  leaf() {},
  unscanned() {},
};
