import { describe, expect, it } from "vitest";
import { urlPasswordScore } from "../../../src/detectors/credentials/url-password.ts";

describe("urlPasswordScore", () => {
  it.each([
    ["postgres://app:kT7vq2Lx@db.meadow.test/app", 0.9],
    ["redis://:kT7vq2Lx@10.0.0.7:6379", 0.9],
    ["https://user:pass@meadow.test", 0.5],
    ["mysql://root:root@127.0.0.1/app", 0.5],
    ["https://user:{password}@meadow.test", false],
    ["https://user:<password>@meadow.test", false],
    ["https://USER:PASSWORD@meadow.test", false],
    ["https://user:DB_PASSWORD@meadow.test", false],
    ["https://user:****@meadow.test", false],
    ["https://user:${PASSWORD}@meadow.test", false],
    ["postgres://user:password@host:port/database", false],
    ["postgres://user:kT7vq2Lx@hostname/database", false],
  ])("%s: %s", (url, expected) => {
    expect(urlPasswordScore(url, 0.9)).toBe(expected);
  });
});
