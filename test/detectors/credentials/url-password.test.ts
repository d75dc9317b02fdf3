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
    ["https://user:password@example.com/path", false],
    ["https://username:password@pypi.company.com", false],
    ["http://admin:admin@localhost:5984", false],
    ["postgres://postgres:postgres@localhost/app", false],
    ["redis://user:secret@[::1]:6379", false],
    ["mysql://user:password@tcp(127.0.0.1:3306)/app", false],
    ["ftp://anonymous:guest@ftp.meadow.test", false],
    ["https://token:x-oauth-basic@git.meadow.test", false],
    ["https://v7Tq2Lxk81cQn4Vt90Zp:x-oauth-basic@git.meadow.test", 0.9],
    ["http://meadow.test:80@127.0.0.1", false],
    ["https://a:%3a@example.com", false],
    ["cloud://7182:1234567890abcdefghijklmnop@meadow", false],
    ["https://alice:kT7vq2Lx@api.example.com", 0.9],
    ["postgres://app:kT7vq2Lx@localhost/app", 0.9],
    ["postgres://app:12345678@db.meadow.test/app", 0.9],
  ])("%s: %s", (url, expected) => {
    expect(urlPasswordScore(url, 0.9)).toBe(expected);
  });
});
