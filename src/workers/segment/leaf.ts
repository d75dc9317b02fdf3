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
  /** It stands in a block under a signature, which vouches for the text as it is. */
  readonly isSigned?: boolean;
  /** It stands in what a tool has answered to a call of the model's, and is no key there. */
  readonly isResult?: boolean;
  /** Whose text it is; null: not scored for injection (system, assistant and the like). */
  readonly segment: Segment | null;
  /** Its bytes in the request, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Takes a request's leaves in the order in which they stand. */
export interface LeafVisitor {
  /** A tool call's input is one leaf, its JSON text, in place of a leaf for each string in it. */
  readonly readsInputsWhole?: boolean;
  leaf(leaf: Leaf): void;
  /** A parameter or medium that the model does not read as text; the range is its JSON value's. */
  unscanned(place: Place, start: number, end: number): void;
}
