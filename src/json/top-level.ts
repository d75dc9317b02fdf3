import { jsonMemberNameBytesMax, jsonTopLevelMembersMax } from "../contract/limits.ts";
import { decodeString } from "./string.ts";

export type JsonType = "object" | "array" | "string" | "number" | "true" | "false" | "null";

/** A member of the top-level object. Offsets count bytes from the start of the body. */
export interface Member {
  /**
   * Unescaped. A key of more than `jsonMemberNameBytesMax` bytes is abridged: equal for equal keys, and
   * never equal to a name of up to 42 characters, because those always fit, however they are escaped.
   */
  readonly name: string;
  /** The opening quote of the key. */
  readonly keyStart: number;
  readonly valueStart: number;
  /** Exclusive. */
  readonly valueEnd: number;
  readonly type: JsonType;
}

/** The top level of a complete JSON text. */
export interface TopLevel {
  readonly root: JsonType;
  /** The root value's first byte. */
  readonly start: number;
  /** The offset after the root value's last byte. */
  readonly end: number;
  /** All members of a root object in their order, duplicates included; empty for any other root. */
  readonly members: readonly Member[];
}

/**
 * Records the places of the root value and its members while the scanner reads. `depth` is the number
 * of containers around a key or value; deeper values are ignored.
 */
export class TopLevelNotes {
  #root: JsonType | undefined;
  #start = 0;
  #end = 0;
  readonly #members: Member[] = [];
  #name = "";
  #keyStart = 0;
  #valueStart = 0;
  #valueType: JsonType = "null";

  /** False if there are `jsonTopLevelMembersMax` members already. */
  beginKey(at: number, depth: number): boolean {
    if (depth > 1) return true;
    this.#keyStart = at;
    return this.#members.length < jsonTopLevelMembersMax;
  }

  /** `end` is the offset after the closing quote. */
  endKey(bytes: Uint8Array, end: number, depth: number): void {
    if (depth === 1) this.#name = memberName(bytes, this.#keyStart + 1, end - 1);
  }

  beginValue(type: JsonType, at: number, depth: number): void {
    if (depth === 0) {
      this.#root = type;
      this.#start = at;
    } else if (depth === 1) {
      this.#valueStart = at;
      this.#valueType = type;
    }
  }

  endValue(end: number, depth: number): void {
    if (depth === 0) {
      this.#end = end;
    } else if (depth === 1 && this.#root === "object") {
      this.#members.push({
        name: this.#name,
        keyStart: this.#keyStart,
        valueStart: this.#valueStart,
        valueEnd: end,
        type: this.#valueType,
      });
    }
  }

  /** Undefined if no value has begun. */
  get topLevel(): TopLevel | undefined {
    if (this.#root === undefined) return undefined;
    return { root: this.#root, start: this.#start, end: this.#end, members: this.#members };
  }
}

function memberName(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= jsonMemberNameBytesMax) return decodeString(bytes, start, end);
  const spelled = Buffer.from(bytes.subarray(start, start + jsonMemberNameBytesMax));
  return `${spelled.toString("latin1")}… (${end - start} bytes)`;
}
