import { describe, expect, test } from "vitest";
import { leafHash } from "../../src/store/audit/merkle.ts";
import {
  appendLeaves,
  consistencyProof,
  inclusionProof,
  rootOf as rootOfTiles,
  type Tiles,
} from "../../src/store/audit/merkle-tree.ts";
import { isBeginning, leafOf, rootOf } from "../../ui/src/merkle.ts";

/*
 * What the dashboard checks in a browser, against the tree of the log. It runs here, because it needs nothing of
 * a browser but WebCrypto.
 */

const most = 40;
const events = Array.from({ length: most }, (_, i) =>
  bytes(new TextEncoder().encode(`event ${i}`)),
);
const tiles = tilesInMemory();
const roots = events.map((event, i) => {
  appendLeaves(tiles, i, [leafHash(event)]);
  return bytes(rootOfTiles(tiles, i + 1));
});
const root = (size: number) => roots[size - 1] ?? bytes(new Uint8Array());

describe("proofs in the browser", () => {
  test("an event is in every tree that holds it, and nowhere else in it", async () => {
    for (let size = 1; size <= most; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const leaf = await leafOf(events[index] ?? bytes(new Uint8Array()));
        const hashes = inclusionProof(tiles, index, size).map(bytes);
        const reached = await rootOf(leaf, index, size, hashes);
        expect(reached).toEqual(root(size));
        if (size === 1) continue;
        const elsewhere = await rootOf(leaf, (index + 1) % size, size, hashes);
        expect(elsewhere).not.toEqual(root(size));
      }
    }
  });

  test("a log that has only grown begins with each of its past, and a changed one does not", async () => {
    for (let second = 1; second <= most; second += 1) {
      for (let first = 1; first <= second; first += 1) {
        const hashes = first === second ? [] : consistencyProof(tiles, first, second).map(bytes);
        const holds = (before: number, after: number, proof = hashes) =>
          isBeginning(first, root(before), second, root(after), proof);
        expect(await holds(first, second)).toBe(true);
        expect(await holds(first === 1 ? 2 : first - 1, second)).toBe(false);
        expect(await holds(first, second === 1 ? 2 : second - 1)).toBe(false);
        expect(await holds(first, second, [...hashes, root(1)])).toBe(false);
        if (hashes.length > 0) expect(await holds(first, second, hashes.slice(1))).toBe(false);
      }
    }
    expect(await isBeginning(2, root(2), 1, root(1), [])).toBe(false);
  });
});

function bytes(of: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(of);
}

function tilesInMemory(): Tiles {
  const rows = new Map<string, Uint8Array>();
  return {
    get: (key) => rows.get(key.join()),
    putSync: (key, value) => rows.set(key.join(), value),
    removeSync: (key) => rows.delete(key.join()),
  };
}
