import { refuse } from "../../contract/errors.ts";
import type { ResponseCacheSetting } from "../../contract/identity.ts";
import { cacheTtlSecondsDefault, cacheTtlSecondsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";

/** Says that a request may be answered from the cache, and that its answer may be kept there. */
export interface CacheDirective {
  /** How long the answer is kept, and the maximum age of a cached answer. */
  readonly ttlMs: number;
}

/**
 * Whether a request uses the response cache. Its headers decide, else its key; null means no. Errors:
 * `invalid_request` for a header that stands twice or has an invalid value.
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
      if (use !== null) return wrong("X-Svc-Cache may be sent only once.");
      use = value;
    } else if (name === "x-svc-cache-ttl") {
      if (ttl !== null) return wrong("X-Svc-Cache-Ttl may be sent only once.");
      ttl = value;
    }
  }
  if (use !== null && use !== "on" && use !== "off") return wrong("X-Svc-Cache must be on or off.");
  const ttlSeconds = ttl === null ? (setting?.ttlSeconds ?? cacheTtlSecondsDefault) : seconds(ttl);
  if (ttlSeconds === null) {
    return wrong(
      `X-Svc-Cache-Ttl must be a whole number of seconds from 1 to ${cacheTtlSecondsMax}.`,
    );
  }
  const isOn = use === null ? setting !== null : use === "on";
  return accept(isOn ? { ttlMs: ttlSeconds * 1000 } : null);
}

/** null if the text is no such number. */
function seconds(text: string): number | null {
  const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= cacheTtlSecondsMax ? number : null;
}

function wrong(message: string): Outcome<never> {
  return refuse("invalid_request", message);
}
