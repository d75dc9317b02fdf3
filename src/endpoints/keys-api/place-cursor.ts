import { hash } from "node:crypto";
import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";

/** The place of a row in a list that is sorted by a value, and by a second one where the first is equal. */
export type Place = readonly [first: string, second: string];

/** A short text of what a list was asked for. A cursor has it, because another query would skip or repeat rows. */
export function markOf(asked: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(asked), "hex").slice(0, 16);
}

/** The cursor behind the row at this place. */
export function cursorAt(place: Place, mark: string): string {
  return `${Buffer.from(JSON.stringify(place)).toString("base64url")}.${mark}`;
}

/**
 * Where a page begins: behind this place; null: with the first row. `isPlace` knows the list's own places.
 * Errors: `invalid_request`.
 */
export function readPlace(
  cursor: string | null,
  mark: string,
  isPlace: (place: Place) => boolean,
): Outcome<Place | null> {
  if (cursor === null) return accept(null);
  const [, encoded = "", marked] = /^([\w-]{1,2000})\.([0-9a-f]{16})$/.exec(cursor) ?? [];
  const place = marked === mark ? parsed(encoded) : null;
  if (place !== null && isPlace(place)) return accept(place);
  return refuseParameter("cursor", "cursor must be the nextCursor of a page of the same query.");
}

function parsed(encoded: string): Place | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [first, second] = value as unknown[];
  return typeof first === "string" && typeof second === "string" ? [first, second] : null;
}

/** The order of places, ascending. */
export function comparePlaces([a, a2]: Place, [b, b2]: Place): number {
  if (a !== b) return a < b ? -1 : 1;
  return a2 === b2 ? 0 : a2 < b2 ? -1 : 1;
}

/** The first rows of a list by their place, out of any number, with memory for twice as many as are wanted. */
export class FirstPlaces<T> {
  readonly #count: number;
  readonly #sign: 1 | -1;
  readonly #after: Place | null;
  #rows: { readonly place: Place; readonly row: T }[] = [];

  /** The first `count` behind `after`; with `sign` -1 in descending order. */
  constructor(count: number, after: Place | null, sign: 1 | -1 = 1) {
    this.#count = count;
    this.#after = after;
    this.#sign = sign;
  }

  add(place: Place, row: T): void {
    if (this.#after !== null && this.#sign * comparePlaces(place, this.#after) <= 0) return;
    this.#rows.push({ place, row });
    if (this.#rows.length >= 2 * this.#count) this.#keepFirst();
  }

  /** In their order. */
  rows(): readonly { readonly place: Place; readonly row: T }[] {
    this.#keepFirst();
    return this.#rows;
  }

  #keepFirst(): void {
    this.#rows.sort((a, b) => this.#sign * comparePlaces(a.place, b.place));
    this.#rows.length = Math.min(this.#rows.length, this.#count);
  }
}
