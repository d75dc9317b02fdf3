import { expect, it } from "vitest";
import type { ResponseCacheSetting } from "../../../src/contract/identity.ts";
import { readCacheDirective } from "../../../src/pipeline/cache/cache-directive.ts";

const hour = 3_600_000;
const key = { ttlSeconds: 60 };

it.each<[headers: string[], key: ResponseCacheSetting | null, ttlMs: number | null]>([
  [[], null, null],
  [["accept", "*/*"], null, null],
  [["x-svc-cache", "on"], null, hour],
  [["x-svc-cache", "off"], null, null],
  [["x-svc-cache", "on", "x-svc-cache-ttl", "5"], null, 5_000],
  [["x-svc-cache-ttl", "86400", "x-svc-cache", "on"], null, 24 * hour],
  [["x-svc-cache-ttl", "5"], null, null],
  [["x-svc-cached", "on"], null, null],
  [[], key, 60_000],
  [["x-svc-cache", "off"], key, null],
  [["x-svc-cache", "on"], key, 60_000],
  [["x-svc-cache-ttl", "5"], key, 5_000],
  [["x-svc-cache-ttl", "90"], key, 90_000],
])("%j and a key with %j: %j", (headers, setting, ttlMs) => {
  const wish = readCacheDirective(headers, setting);
  expect(wish).toEqual({ ok: true, value: ttlMs === null ? null : { ttlMs } });
});

it.each([
  ["x-svc-cache", ""],
  ["x-svc-cache", "On"],
  ["x-svc-cache", "true"],
  ["x-svc-cache", "on, off"],
  ["x-svc-cache", "on", "x-svc-cache", "on"],
  ["x-svc-cache-ttl", "0"],
  ["x-svc-cache-ttl", "86401"],
  ["x-svc-cache-ttl", "1.5"],
  ["x-svc-cache-ttl", "-1"],
  ["x-svc-cache-ttl", "1e3"],
  ["x-svc-cache-ttl", ""],
  ["x-svc-cache-ttl", "5", "x-svc-cache-ttl", "5"],
])("%s: %j is refused", (...headers) => {
  for (const setting of [null, key]) {
    const wish = readCacheDirective(headers, setting);
    expect(wish).toMatchObject({ ok: false, refusal: { code: "invalid_request" } });
  }
});
