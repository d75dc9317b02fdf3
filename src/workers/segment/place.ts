import { jsonMemberNameBytesMax, placeLabelBytesMax } from "../../contract/limits.ts";
import type { DetectionLocation } from "../../contract/scan.ts";
import { decodeString } from "../../json/string.ts";

type Source = DetectionLocation["source"];
type PlaceStep = "source" | "index" | "part" | "inner_part" | "item" | "member";
type Indexes = { [step in "index" | "part" | "inner_part"]?: number };

const ellipsis = "...";

/**
 * The place of a value in a request: a chain of steps. Each step costs one small object, and nothing is
 * decoded until the location is requested.
 */
export class Place {
  readonly #parent: Place | null;
  readonly #step: PlaceStep;
  /** The index of an item, or the offset of a member's key. */
  readonly #from: number;
  readonly #until: number;
  /** For a member, its position among the object's members. */
  readonly #position: number;
  readonly #source: Source;
  /**
   * The message, tool, item of a conversation, block of `system` or member of the request that this
   * place is in.
   */
  readonly top: Place;

  private constructor(
    parent: Place | null,
    source: Source,
    step: PlaceStep,
    from: number,
    until: number,
    isTop = false,
    position = 0,
  ) {
    this.#parent = parent;
    this.#source = source;
    this.#step = step;
    this.#from = from;
    this.#until = until;
    this.#position = position;
    this.top = isTop || parent === null || parent.#parent === null ? this : parent.top;
  }

  static source(source: Source): Place {
    return new Place(null, source, "source", 0, 0);
  }

  /** A message. */
  message(index: number): Place {
    return this.#next("index", index, 0);
  }

  /** A block of the content that `member` of this object holds. */
  block(member: Place, index: number): Place {
    switch (this.#step) {
      case "source":
      case "index":
        return this.#next("part", index, 0);
      case "part":
        return this.#next("inner_part", index, 0);
      default:
        return member.item(index);
    }
  }

  /**
   * The place of this object's own text or content in its `member`: a location names only the object,
   * unless the location of the object itself is a path.
   */
  own(member: Place): Place {
    return this.#step === "item" || this.#step === "member" ? member : this;
  }

  item(index: number): Place {
    return this.#next("item", index, 0);
  }

  /** An item that is separate from its neighbours, as messages are. */
  entry(index: number): Place {
    return new Place(this, this.#source, "item", index, 0, true);
  }

  /**
   * A member by its key, which is between `keyStart` and `keyEnd` in the request's bytes, and by its
   * position among the object's members, from 0 on.
   */
  member(keyStart: number, keyEnd: number, position: number): Place {
    return new Place(this, this.#source, "member", keyStart, keyEnd, false, position);
  }

  /**
   * The key of the member that holds this value, directly or in lists; "" if there is none or the key is
   * not a known name.
   */
  key(bytes: Uint8Array): string {
    if (this.#step === "item") return this.#parent?.key(bytes) ?? "";
    const isShort = this.#until - this.#from <= jsonMemberNameBytesMax;
    return this.#step === "member" && isShort ? decodeString(bytes, this.#from, this.#until) : "";
  }

  /** `bytes`: the request that the chain was built over. */
  location(bytes: Uint8Array, serialized: boolean): DetectionLocation {
    const path: (string | number)[] = [];
    const indexes: Indexes = {};
    this.#collect(bytes, path, indexes);
    return {
      source: this.#source,
      ...indexes,
      ...(path.length > 0 ? { path } : {}),
      ...(serialized ? { content_serialized: true } : {}),
    };
  }

  /**
   * The place as people read it, such as `messages[4].content[0]`: printable ASCII of at most
   * `placeLabelBytesMax` bytes. A name that is not in `names` is the caller's content and is not shown:
   * the member's position replaces it, as in `metadata.{0}`.
   */
  label(bytes: Uint8Array, names: ReadonlySet<string>): string {
    const parts: string[] = [];
    this.#describe(bytes, names, parts);
    let label = "";
    for (const part of parts) {
      if (label.length + part.length > placeLabelBytesMax - ellipsis.length) {
        return `${label}${ellipsis}`;
      }
      label += part;
    }
    return label.replace(/^\./, "") || this.#source;
  }

  #describe(bytes: Uint8Array, names: ReadonlySet<string>, parts: string[]): void {
    if (this.#parent === null) {
      if (this.#source !== "request") parts.push(this.#source);
      return;
    }
    this.#parent.#describe(bytes, names, parts);
    switch (this.#step) {
      case "member": {
        const name = this.key(bytes);
        parts.push(names.has(name) ? `.${name}` : `.{${this.#position}}`);
        break;
      }
      case "part":
      case "inner_part":
        parts.push(this.#parent.#step === "source" ? `[${this.#from}]` : `.content[${this.#from}]`);
        break;
      default:
        parts.push(`[${this.#from}]`);
    }
  }

  /** Collects the steps from the source down to this place. */
  #collect(bytes: Uint8Array, path: (string | number)[], indexes: Indexes): void {
    if (this.#parent === null) return;
    this.#parent.#collect(bytes, path, indexes);
    if (this.#step === "member") path.push(decodeString(bytes, this.#from, this.#until));
    else if (this.#step === "item") path.push(this.#from);
    else if (this.#step !== "source") indexes[this.#step] = this.#from;
  }

  #next(step: PlaceStep, from: number, until: number): Place {
    return new Place(this, this.#source, step, from, until);
  }
}
