import { expect, test } from "vitest";
import type { Exchange, FlatHeaders } from "../../../src/exchange/exchange.ts";
import { TrustedProxies } from "../../../src/pipeline/limits/client-address.ts";
import { RateLimits } from "../../../src/pipeline/limits/rate-limits.ts";
import { SharedRateWindows } from "../../../src/store/windows/shared-rate-windows.ts";
import { atOnce } from "../../support/at-once.ts";
import { ManualClock } from "../../store/manual-clock.ts";

/** What the limit sees of an exchange. */
class SeenExchange implements Pick<
  Exchange,
  "head" | "remoteAddress" | "keepHeaders" | "holdBody"
> {
  readonly head: Exchange["head"];
  readonly remoteAddress: string;
  kept: FlatHeaders = [];

  constructor(path: string, remoteAddress: string, forwardedFor: string) {
    this.head = {
      method: "POST",
      path,
      query: "",
      headers: forwardedFor === "" ? [] : ["x-forwarded-for", forwardedFor],
    };
    this.remoteAddress = remoteAddress;
  }

  holdBody(): never {
    throw new Error("nothing waits");
  }

  keepHeaders(headers: FlatHeaders): void {
    this.kept = headers;
  }
}

function limits(): { ask: (path: string, from?: string, forwarded?: string) => Asked } {
  const clock = new ManualClock();
  const windows = (): SharedRateWindows => {
    const made = new SharedRateWindows({ slots: 64, clock });
    made.timeline.start();
    return made;
  };
  const rejected: string[] = [];
  const rateLimits = new RateLimits({
    windows: windows(),
    passthroughWindows: windows(),
    grants: null,
    findOrganization: () => undefined,
    scansPerMinute: 600,
    tokenCountsPerMinute: 600,
    proxies: new TrustedProxies(["10.0.0.1"]),
    rejected: (kind) => rejected.push(kind),
  });
  return {
    ask(path, from = "9.9.9.9", forwarded = "") {
      const exchange = new SeenExchange(path, from, forwarded);
      const outcome = atOnce(rateLimits.passthrough(exchange));
      return {
        ok: outcome.ok,
        headers: outcome.ok ? exchange.kept : (outcome.refusal.headers ?? []),
        rejected,
      };
    },
  };
}

interface Asked {
  readonly ok: boolean;
  readonly headers: FlatHeaders;
  readonly rejected: readonly string[];
}

const count = (ask: () => Asked): number => {
  let admitted = 0;
  while (ask().ok) admitted++;
  return admitted;
};

test.each([
  ["/v1/chat/completions", 100],
  ["/v1/mean", 100],
  ["/v1/me", 50],
  ["/v1/me/x", 50],
  ["/v1/security/scan", 50],
  ["/v1/audit/events", 50],
])("%s: %i requests of one address", (path, expected) => {
  const { ask } = limits();
  expect(count(() => ask(path))).toBe(expected);
  expect(ask(path, "9.9.9.8").ok).toBe(true);
});

test("both kinds of path count in one window", () => {
  const { ask } = limits();
  for (let i = 0; i < 49; i++) ask("/v1/me");
  expect(count(() => ask("/v1/messages"))).toBe(2);
});

test("all of an IPv6 /64 is one caller, an IPv4-mapped address the IPv4 one", () => {
  const { ask } = limits();
  let i = 0;
  expect(count(() => ask("/x", `2001:db8:0:1::${(i++).toString(16)}`))).toBe(100);
  expect(ask("/x", "2001:db8:0:2::1").ok).toBe(true);
  expect(count(() => ask("/x", "::ffff:7.7.7.7"))).toBe(100);
  expect(ask("/x", "7.7.7.7").ok).toBe(false);
});

test("behind a trusted proxy the client counts, else the socket", () => {
  const { ask } = limits();
  let i = 0;
  expect(count(() => ask("/x", "9.9.9.9", `8.8.${i >> 8}.${i++ & 255}`))).toBe(100);
  expect(count(() => ask("/x", "10.0.0.1", "8.8.8.8"))).toBe(100);
  expect(ask("/x", "10.0.0.1", "8.8.4.4").ok).toBe(true);
});

test("headers carry the address's scope on every answer", () => {
  const { ask } = limits();
  const reset = String(Date.UTC(2026, 0, 1) / 1000 + 61);
  const headersWith = (remaining: number): string[] => [
    ...["X-RateLimit-Limit", "100", "X-RateLimit-Remaining", String(remaining)],
    ...["X-RateLimit-Reset", reset, "X-RateLimit-Scope", "passthrough-ip"],
  ];
  expect(ask("/x").headers).toEqual(headersWith(99));
  count(() => ask("/x"));
  const refused = ask("/x");
  expect(refused).toMatchObject({ ok: false, headers: headersWith(0) });
  expect(new Set(refused.rejected)).toEqual(new Set(["rate_passthrough"]));
});
