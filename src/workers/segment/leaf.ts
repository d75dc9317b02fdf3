import type { Segment } from "../../contract/scan.ts";
import type { Place } from "./place.ts";

/**
 * What the bytes of a leaf are: the contents of a JSON string, those of a member's key (the place is
 * the member), or a whole JSON value that is read in its serialized form.
 */
export type LeafForm = "string" | "key" | "serialized";

/** A text that the model reads. */
export interface Leaf {
  readonly place: Place;
  readonly form: LeafForm;
  /** True: the text is in a block with a signature, so an edit would break the signature. */
  readonly isSigned?: boolean;
  /** True: the text is in a tool's answer to a call of the model, and is not a key. */
  readonly isResult?: boolean;
  /**
   * The owner of the text; null: the text is not scored for injection (system, assistant and the
   * like).
   */
  readonly segment: Segment | null;
  /** The range of its bytes in the request, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Takes a request's leaves in their order. */
export interface LeafVisitor {
  /**
   * True: a tool call's input is one leaf, its JSON text. Otherwise each string in it is a leaf.
   */
  readonly readsInputsWhole?: boolean;
  leaf(leaf: Leaf): void;
  /** A parameter or medium that the model does not read as text; the range is its JSON value's. */
  unscanned(place: Place, start: number, end: number): void;
}
