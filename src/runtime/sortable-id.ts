import { randomBytes } from "node:crypto";

/** The part of an id before the underscore. */
export type IdPrefix = "key" | "org" | "limit" | "policy" | "session";

let lastMs = -1;
let lastTail = 0n;

/**
 * A prefix, the time and 80 bits, in lower-case hex: sorts by age in a list. 79 of the 80 bits are
 * random. Within one millisecond the value grows by a random number of 32 bits, so that those ids sort
 * by age too.
 */
export function sortableId(prefix: IdPrefix, wallMs: number): string {
  const grown = wallMs === lastMs ? lastTail + 1n + randomBits(4) : randomBits(10) >> 1n;
  lastMs = wallMs;
  lastTail = grown;
  return `${prefix}_${hex(BigInt(wallMs), 12)}${hex(grown, 20)}`;
}

function randomBits(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString("hex")}`);
}

function hex(number: bigint, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}
