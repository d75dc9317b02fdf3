import { hash } from "node:crypto";

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/**
 * The payload (version byte first) of a Base58Check text; undefined if a character is not in the
 * alphabet, or if the last four bytes are not the double SHA-256 checksum. At most 128 characters.
 */
export function base58CheckPayload(text: string): Buffer | undefined {
  const bytes = text.length > 128 ? undefined : base58Bytes(text);
  if (!bytes || bytes.length < 5) return undefined;
  const payload = bytes.subarray(0, -4);
  const twice = hash("sha256", hash("sha256", payload, "buffer"), "buffer");
  return twice.subarray(0, 4).equals(bytes.subarray(-4)) ? payload : undefined;
}

function base58Bytes(text: string): Buffer | undefined {
  let number = 0n;
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    number = number * 58n + BigInt(value);
  }
  const hex = number === 0n ? "" : number.toString(16);
  const leadingZeros = /^1*/.exec(text)?.[0].length ?? 0;
  const body = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return Buffer.concat([Buffer.alloc(leadingZeros), body]);
}
