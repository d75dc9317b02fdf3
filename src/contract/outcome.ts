import type { Refusal } from "./errors.ts";

/**
 * The result of a step: its value, or the refusal that ends the request. An expected refusal is a
 * value; only bugs are thrown.
 */
export type Outcome<T> = Accepted<T> | Refused;

export interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

export function accept<T>(value: T): Accepted<T> {
  return { ok: true, value };
}
