import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  consistencyHolds,
  emptyRoot,
  inclusionHolds,
  leafHash,
  nodeHash,
  type Hash,
} from "../../../src/store/audit/merkle.ts";
import {
  appendLeaves,
  consistencyProof,
  inclusionProof,
  rootOf,
  type Tiles,
} from "../../../src/store/audit/merkle-tree.ts";

function newTiles(): Tiles {
  const tiles = new Map<string, Uint8Array>();
  return {
    get: (key) => tiles.get(key.join("/")),
    putSync: (key, value) => tiles.set(key.join("/"), value),
    removeSync: (key) => tiles.delete(key.join("/")),
  };
}

function leavesOf(count: number): Hash[] {
  return Array.from({ length: count }, (_, i) => leafHash(Buffer.from(`leaf ${i}`)));
}

/** RFC 6962, section 2.1, as it is written there. */
function referenceRoot(leaves: readonly Hash[]): Hash {
  const [only] = leaves;
  if (only !== undefined && leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(referenceRoot(leaves.slice(0, split)), referenceRoot(leaves.slice(split)));
}

/** The inputs and roots that Certificate Transparency's implementations test themselves with. */
const vectorLeaves = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map((hex) => leafHash(Buffer.from(hex, "hex")));
const vectorRoots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

describe("published vectors", () => {
  test.each(vectorRoots.map((root, i) => [i + 1, root] as const))("%i leaves", (size, root) => {
    const tiles = newTiles();
    appendLeaves(tiles, 0, vectorLeaves.slice(0, size));
    expect(rootOf(tiles, size).toString("hex")).toBe(root);
  });

  test("no leaf", () => {
    expect(rootOf(newTiles(), 0).toString("hex")).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  test.each<[number, number, readonly string[]]>([
    [0, 1, []],
    [
      0,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      5,
      8,
      [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
  ])("inclusion of leaf %i in %i", (index, size, proof) => {
    const tiles = newTiles();
    appendLeaves(tiles, 0, vectorLeaves.slice(0, size));
    expect(inclusionProof(tiles, index, size).map((each) => each.toString("hex"))).toEqual(proof);
  });

  test.each<[number, number, readonly string[]]>([
    [0, 8, []],
    [1, 1, []],
    [
      1,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      6,
      8,
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
  ])("consistency of %i with %i", (first, second, proof) => {
    const tiles = newTiles();
    appendLeaves(tiles, 0, vectorLeaves);
    expect(consistencyProof(tiles, first, second).map((each) => each.toString("hex"))).toEqual(
      proof,
    );
  });
});

describe("trees of 0 to 300 leaves", () => {
  const all = leavesOf(300);

  test("have the same root however they were appended", () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(pieces, (sizes) => {
        const tiles = newTiles();
        let size = 0;
        for (const piece of sizes) {
          const next = all.slice(size, size + piece);
          appendLeaves(tiles, size, next);
          size += next.length;
          expect(rootOf(tiles, size)).toEqual(referenceRoot(all.slice(0, size)));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("every proof holds, and for no other leaf, place or root", () => {
    const tiles = newTiles();
    appendLeaves(tiles, 0, all);
    fc.assert(
      fc.property(fc.nat(299), fc.nat(299), fc.nat(299), (a, b, c) => {
        const [index, last] = a < b ? [a, b] : [b, a];
        const size = last + 1;
        const root = rootOf(tiles, size);
        const proof = inclusionProof(tiles, index, size);
        const leaf = all[index] ?? Buffer.alloc(32);
        expect(inclusionHolds(leaf, index, size, proof, root)).toBe(true);
        if (c !== index) {
          expect(inclusionHolds(all[c] ?? leaf, index, size, proof, root)).toBe(false);
          expect(inclusionHolds(leaf, c, size, proof, root)).toBe(false);
        }
        expect(inclusionHolds(leaf, index, size, proof, leaf)).toBe(size === 1);
        expect(inclusionHolds(leaf, index, size, [...proof, root], root)).toBe(false);

        const first = index + 1;
        const path = consistencyProof(tiles, first, size);
        const firstRoot = rootOf(tiles, first);
        expect(consistencyHolds(first, size, path, firstRoot, root)).toBe(true);
        expect(consistencyHolds(first, size, path, leaf, root)).toBe(first === 1 && index === 0);
        expect(consistencyHolds(first, size, path, firstRoot, leaf)).toBe(size === 1);
        expect(consistencyHolds(first, size, [...path, root], firstRoot, root)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test("70,000 leaves in three levels of tiles", () => {
    const many = leavesOf(70_000);
    const tiles = newTiles();
    appendLeaves(tiles, 0, many.slice(0, 65_000));
    appendLeaves(tiles, 65_000, many.slice(65_000));
    expect(rootOf(tiles, 70_000)).toEqual(referenceRoot(many));
    const proof = inclusionProof(tiles, 65_536, 70_000);
    const leaf = many[65_536] ?? Buffer.alloc(32);
    expect(inclusionHolds(leaf, 65_536, 70_000, proof, rootOf(tiles, 70_000))).toBe(true);
  });
});

test("a proof that is too short for the size that is claimed proves nothing", () => {
  const leaves = leavesOf(3);
  const [first, second, third] = leaves as [Hash, Hash, Hash];
  const [two, three] = [referenceRoot([first, second]), referenceRoot(leaves)];
  expect(inclusionHolds(first, 0, 2, [second], two)).toBe(true);
  expect(inclusionHolds(first, 0, 4, [second], two)).toBe(false);
  expect(consistencyHolds(2, 3, [third], two, three)).toBe(true);
  expect(consistencyHolds(2, 5, [third], two, three)).toBe(false);
});

test("a proof that goes on behind its root proves nothing", () => {
  const leaves = leavesOf(4);
  const [first, second, third, fourth] = leaves as [Hash, Hash, Hash, Hash];
  const two = referenceRoot([first, second]);
  const [three, four] = [referenceRoot(leaves.slice(0, 3)), referenceRoot(leaves)];
  const above = (root: Hash): Hash => nodeHash(fourth, root);
  expect(inclusionHolds(first, 0, 2, [second], two)).toBe(true);
  expect(inclusionHolds(first, 0, 2, [second, fourth], above(two))).toBe(false);
  const path = [third, fourth, two];
  expect(consistencyHolds(3, 4, path, three, four)).toBe(true);
  expect(consistencyHolds(3, 4, [...path, fourth], above(three), above(four))).toBe(false);
});

describe("consistency where there is nothing to hash", () => {
  const leaves = leavesOf(2);
  const [leaf] = leaves as [Hash];
  const root = referenceRoot(leaves);

  test.each<[string, number, number, readonly Hash[], Hash, Hash, boolean]>([
    ["a tree begins itself", 2, 2, [], root, root, true],
    ["no other of its size", 2, 2, [], root, leaf, false],
    ["which takes no proof", 2, 2, [leaf], root, root, false],
    ["every tree begins with no leaf", 0, 2, [], emptyRoot, root, true],
    ["which takes no proof either", 0, 2, [leaf], emptyRoot, root, false],
    ["no tree begins a shorter one", 2, 1, [], root, root, false],
    ["nor does one of less than nothing", -1, 2, [], root, root, false],
  ])("%s", (_, first, second, proof, firstRoot, secondRoot, holds) => {
    expect(consistencyHolds(first, second, proof, firstRoot, secondRoot)).toBe(holds);
  });
});
