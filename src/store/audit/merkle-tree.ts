import { auditRootsRememberedMax } from "../../contract/limits.ts";
import { emptyRoot, nodeHash, splitPoint, type Hash } from "./merkle.ts";
import type { Rows } from "../journal/batch.ts";

/** Leaves of one tile; a full tile is one leaf of the tile above it. */
const tileWidth = 256;
const tileHeight = 8;
const hashBytes = 32;

/**
 * By level and index: up to 256 hashes, one after the other. Level 0 has the leaves' hashes, level 1
 * the roots of full tiles of level 0, and so on (as C2SP's tlog-tiles has them). A full tile is never
 * written again.
 */
export type Tiles = Rows<[level: number, index: number], Uint8Array>;

/** Appends leaf hashes to a tree that had `size` leaves; call it inside a transaction. */
export function appendLeaves(tiles: Tiles, size: number, leaves: readonly Hash[]): void {
  appendAt(tiles, 0, size, leaves);
}

function appendAt(tiles: Tiles, level: number, size: number, hashes: readonly Hash[]): void {
  let index = Math.floor(size / tileWidth);
  let within = size % tileWidth;
  const full: Hash[] = [];
  for (let taken = 0; taken < hashes.length;) {
    const next = hashes.slice(taken, taken + tileWidth - within);
    const before =
      within === 0 ? [] : [tileAt(tiles, level, index).subarray(0, within * hashBytes)];
    const tile = Buffer.concat([...before, ...next]);
    tiles.putSync([level, index], tile);
    taken += next.length;
    within += next.length;
    if (within < tileWidth) break;
    full.push(perfectRoot(tile, 0, tileWidth));
    index += 1;
    within = 0;
  }
  if (full.length > 0) appendAt(tiles, level + 1, Math.floor(size / tileWidth), full);
}

/** The root of the first `size` leaves. */
export function rootOf(tiles: Tiles, size: number): Hash {
  return size === 0 ? emptyRoot : rangeRoot(tiles, 0, size);
}

/**
 * Remembers the roots of ranges of one unchanging tree, so that the proofs of neighbouring leaves
 * share them.
 */
export class RememberedRoots {
  readonly #roots = new Map<string, Hash>();

  root(start: number, end: number, compute: () => Hash): Hash {
    const key = `${start}-${end}`;
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const root = compute();
    if (this.#roots.size >= auditRootsRememberedMax) this.#roots.clear();
    this.#roots.set(key, root);
    return root;
  }
}

/** The proof that the leaf at `index` is one of the first `size` (RFC 6962, section 2.1.1). */
export function inclusionProof(
  tiles: Tiles,
  index: number,
  size: number,
  remembered = new RememberedRoots(),
): Hash[] {
  if (index < 0 || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const rootBetween = (from: number, to: number): Hash =>
    remembered.root(from, to, () => rangeRoot(tiles, from, to));
  const proof: Hash[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitPoint(end - start);
    if (index < middle) {
      proof.push(rootBetween(middle, end));
      end = middle;
    } else {
      proof.push(rootBetween(start, middle));
      start = middle;
    }
  }
  return proof.reverse();
}

/** The proof that the first `first` leaves begin the first `second` (RFC 6962, section 2.1.2). */
export function consistencyProof(tiles: Tiles, first: number, second: number): Hash[] {
  if (first < 0 || first > second) throw new RangeError(`${first} leaves don't begin ${second}`);
  if (first === 0 || first === second) return [];
  const proof: Hash[] = [];
  let [start, end] = [0, second];
  let isWhole = true;
  while (end !== first) {
    const middle = start + splitPoint(end - start);
    if (first <= middle) {
      proof.push(rangeRoot(tiles, middle, end));
      end = middle;
    } else {
      proof.push(rangeRoot(tiles, start, middle));
      start = middle;
      isWhole = false;
    }
  }
  if (!isWhole) proof.push(rangeRoot(tiles, start, end));
  return proof.reverse();
}

/** The root of the leaves `[start, end)`; the range must be one that a node of the tree covers. */
function rangeRoot(tiles: Tiles, start: number, end: number): Hash {
  const count = end - start;
  const height = Math.log2(count);
  if (Number.isInteger(height)) return perfectAt(tiles, height, start / count);
  const middle = start + splitPoint(count);
  return nodeHash(rangeRoot(tiles, start, middle), rangeRoot(tiles, middle, end));
}

/** The root of 2^height leaves, the `index`-th such run. */
function perfectAt(tiles: Tiles, height: number, index: number): Hash {
  const level = Math.floor(height / tileHeight);
  const width = 2 ** (height % tileHeight);
  const first = index * width;
  const tile = tileAt(tiles, level, Math.floor(first / tileWidth));
  return perfectRoot(tile, first % tileWidth, width);
}

function perfectRoot(tile: Uint8Array, first: number, width: number): Hash {
  if (width === 1) {
    const at = first * hashBytes;
    if (at + hashBytes > tile.length) throw new Error("a tile of the audit log lacks a hash");
    return Buffer.from(tile.subarray(at, at + hashBytes));
  }
  const half = width / 2;
  return nodeHash(perfectRoot(tile, first, half), perfectRoot(tile, first + half, half));
}

function tileAt(tiles: Tiles, level: number, index: number): Uint8Array {
  const tile = tiles.get([level, index]);
  if (tile === undefined) throw new Error("a tile of the audit log is missing");
  return tile;
}
