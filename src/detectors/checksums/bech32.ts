const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The constants that the checksum ends in (BIP 173, BIP 350). */
const residues = { bech32: 1, bech32m: 0x2bc830a3 };

/**
 * Which of the two checksums a text `prefix1data` carries; undefined: neither. The text is in one
 * case.
 */
export function bech32Variant(text: string): "bech32" | "bech32m" | undefined {
  const lowerCase = text.toLowerCase();
  const separator = lowerCase.lastIndexOf("1");
  if (separator < 1 || (text !== lowerCase && text !== text.toUpperCase())) return undefined;
  const prefix = [...lowerCase.slice(0, separator)].map((character) => character.charCodeAt(0));
  const data = [...lowerCase.slice(separator + 1)].map((character) => alphabet.indexOf(character));
  if (data.includes(-1)) return undefined;
  const high = prefix.map((code) => code >> 5);
  const low = prefix.map((code) => code & 31);
  const residue = polymod([...high, 0, ...low, ...data]);
  if (residue === residues.bech32) return "bech32";
  return residue === residues.bech32m ? "bech32m" : undefined;
}

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) {
      if ((top >>> bit) & 1) check ^= generator;
    }
  }
  return check;
}
