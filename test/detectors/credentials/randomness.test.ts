import { describe, expect, it } from "vitest";
import { looksRandom, mayBeRandom } from "../../../src/detectors/credentials/randomness.ts";
import { alphabets, randomText, seededRandom } from "./seeded-random.ts";

const draws = 2_000;

describe("looksRandom", () => {
  it.each(
    Object.entries(alphabets).flatMap(([name, alphabet]) =>
      [16, 20, 32, 64].map((length) => [name, length, alphabet] as const),
    ),
  )("holds %s of %i characters for random in 49 of 50 cases", (_, length, alphabet) => {
    const random = seededRandom(length);
    let taken = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      if (looksRandom(randomText(random, alphabet, length))) taken += 1;
    }
    expect(taken / draws).toBeGreaterThan(0.98);
  });

  it.each([
    "userKeyNotFound",
    "getAccessTokenFromHeader",
    "com.example.service.TokenProvider",
    "aws_ec2_client_vpn_endpoint.client-vpn-endpoint.id",
    "oauth2-proxy-v7.4.0",
    "2024-01-31T12:00:00",
    "application/json",
    "1234567890abcdef",
    "aaaaaaaaaaaaaaab",
    "password-reset-email-template-2",
  ])("not %j", (value) => {
    expect(looksRandom(value)).toBe(false);
  });

  it("refuses a sequence that mayBeRandom passes", () => {
    expect(mayBeRandom("12345678ABCDEFH1234567890ABCDEFH12345678")).toBe(true);
    expect(looksRandom("12345678ABCDEFH1234567890ABCDEFH12345678")).toBe(false);
  });
});
