import { hash } from "node:crypto";

/** 32 bytes of SHA-256. */
export type Hash = Buffer;

/** RFC 6962, section 2.1: the prefixes that distinguish leaves from nodes. */
const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

export function leafHash(leaf: Uint8Array): Hash {
  return hash("sha256", Buffer.concat([leafPrefix, leaf]), "buffer");
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Hash {
  return hash("sha256", Buffer.concat([nodePrefix, left, right]), "buffer");
}

/** The hash of no leaves at all. */
export const emptyRoot: Hash = hash("sha256", Buffer.alloc(0), "buffer");

/** The largest power of two below `size`, which is 2 at least. */
export function splitPoint(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/**
 * Whether the leaf is at `index` in the tree of `size` leaves with this root (RFC 9162, section
 * 2.1.3.2).
 */
export function inclusionHolds(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isPlace(index, size)) return false;
  let [node, last] = [index, size - 1];
  let current: Hash = Buffer.from(leaf);
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      current = nodeHash(sibling, current);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      current = nodeHash(current, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && current.equals(root);
}

/**
 * Whether the tree of `first` leaves is the beginning of the one of `second` leaves (RFC 9162,
 * section 2.1.4.2).
 */
export function consistencyHolds(
  first: number,
  second: number,
  proof: readonly Uint8Array[],
  firstRoot: Uint8Array,
  secondRoot: Uint8Array,
): boolean {
  if (first > second || first < 0 || !Number.isSafeInteger(second)) return false;
  if (first === second) return proof.length === 0 && Buffer.from(firstRoot).equals(secondRoot);
  if (first === 0) return proof.length === 0;
  const path = isPowerOfTwo(first) ? [firstRoot, ...proof] : [...proof];
  const seed = path.shift();
  if (seed === undefined) return false;
  let [node, last] = [first - 1, second - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let old: Hash = Buffer.from(seed);
  let current: Hash = old;
  for (const sibling of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      old = nodeHash(sibling, old);
      current = nodeHash(sibling, current);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      current = nodeHash(current, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && old.equals(firstRoot) && current.equals(secondRoot);
}

function isPlace(index: number, size: number): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
