import { describe, expect, it } from "vitest";
import { isIdentifier } from "../../../src/detectors/credentials/identifier.ts";
import { alphabets, randomText, seededRandom } from "./seeded-random.ts";

describe("isIdentifier", () => {
  it.each([
    "Uint8Array",
    "writeUint32Key",
    "CachedX509Token",
    "adminAPIKey",
    "OAuth2ClientSecret",
    "Aes256GcmKey",
    "TPM2B_DIGEST",
    "_csrf_token_v2",
    "__bk__zlib_",
    "getAccessTokenSilently2024",
  ])("%j", (value) => {
    expect(isIdentifier(value)).toBe(true);
  });

  it.each([
    "v7Tq2Lxk81cQn4Vt90Zp",
    "9fk2LxT7vq81cQn4",
    "JKV14YNCA4WREUYPUL",
    "kT7vq2Lx",
    "3f0c9a1e7b524d8e9c06",
    "ada-lovelace",
    "",
  ])("not %j", (value) => {
    expect(isIdentifier(value)).toBe(false);
  });

  it("is hardly ever random text of twenty letters and digits", () => {
    const random = seededRandom(5);
    let taken = 0;
    for (const alphabet of [alphabets.hex, alphabets.base36, alphabets.base62]) {
      for (let draw = 0; draw < 2_000; draw += 1) {
        if (isIdentifier(randomText(random, alphabet, 20))) taken += 1;
      }
    }
    expect(taken / 6_000).toBeLessThan(0.005);
  });
});
