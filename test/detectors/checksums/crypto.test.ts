import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { base58CheckPayload } from "../../../src/detectors/checksums/base58check.ts";
import { bech32Variant } from "../../../src/detectors/checksums/bech32.ts";
import { keccak256 } from "../../../src/detectors/checksums/keccak256.ts";

describe("Keccak-256", () => {
  test.each([
    ["", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
    ["abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
  ])("of %o", (message, hash) => {
    expect(keccak256(Buffer.from(message)).toString("hex")).toBe(hash);
  });

  test("tells apart messages around the length of a block", () => {
    const hashes = [134, 135, 136, 137, 271, 272, 273].map((length) =>
      keccak256(Buffer.alloc(length, "a")).toString("hex"),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("Base58Check", () => {
  test("knows the address of Bitcoin's first block", () => {
    const payload = base58CheckPayload("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa");
    expect(payload?.toString("hex")).toBe("0062e907b15cbf27d5425399ebf6f0fb50ebb88f18");
  });

  test.each(["", "1", "0OIl", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "1".repeat(129)])(
    "refuses %o",
    (text) => {
      expect(base58CheckPayload(text)).toBeUndefined();
    },
  );

  test("reads back what was written, leading zeros too", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (payload) => {
        expect(base58CheckPayload(written(Buffer.from(payload)))).toEqual(Buffer.from(payload));
      }),
    );
  });
});

describe("Bech32", () => {
  // BIP 173 and BIP 350.
  test.each([
    ["A12UEL5L", "bech32"],
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bech32"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "bech32m"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", undefined],
    ["bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", undefined],
    ["1nwldj5", undefined],
    ["no separator", undefined],
  ])("%o is %o", (text, variant) => {
    expect(bech32Variant(text)).toBe(variant);
  });
});

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function written(payload: Buffer): string {
  const once = createHash("sha256").update(payload).digest();
  const check = createHash("sha256").update(once).digest().subarray(0, 4);
  const bytes = Buffer.concat([payload, check]);
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}
