import { refuse } from "../../contract/errors.ts";
import type { ResponseCacheSetting } from "../../contract/identity.ts";
import { cacheTtlSecondsDefault, cacheTtlSecondsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";

/** A request may be answered from the cache, and its answer kept there. */
export interface CacheDirective {
  /** How long its answer is kept, and how old a cached one may be. */
  readonly ttlMs: number;
}

/**
 * Whether a request uses the response cache: as its headers say, else as its key does; null: no.
 * Errors: `invalid_request` for a header with another value than it takes, or that stands twice.
 */
export function readCacheDirective(
  headers: FlatHeaders,
  setting: ResponseCacheSetting | null,
): Outcome<CacheDirective | null> {
  let use: string | null = null;
  let ttl: string | null = null;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    // One comparison for most headers: this runs for every request.
    if (!name.startsWith("x-svc-cache")) continue;
    const value = headers[i + 1] ?? "";
    if (name === "x-svc-cache") {
      if (use !== null) return wrong("X-Svc-Cache may stand once.");
      use = value;
    } else if (name === "x-svc-cache-ttl") {
      if (ttl !== null) return wrong("X-Svc-Cache-Ttl may stand once.");
      ttl = value;
    }
  }
  if (use !== null && use !== "on" && use !== "off") return wrong("X-Svc-Cache is on or off.");
  const ttlSeconds = ttl === null ? (setting?.ttlSeconds ?? cacheTtlSecondsDefault) : seconds(ttl);
  if (ttlSeconds === null) {
    return wrong(`X-Svc-Cache-Ttl is a whole number of seconds from 1 to ${cacheTtlSecondsMax}.`);
  }
  const isOn = use === null ? setting !== null : use === "on";
  return accept(isOn ? { ttlMs: ttlSeconds * 1000 } : null);
}

/** null: it is no such number. */
function seconds(text: string): number | null {
  const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= cacheTtlSecondsMax ? number : null;
}

function wrong(message: string): Outcome<never> {
  return refuse("invalid_request", message);
}
