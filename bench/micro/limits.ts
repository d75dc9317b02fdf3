/**
 * Speed of rate and usage limits. By hand: `node bench/micro/limits.ts`.
 *
 * Each round is another organization. The check of two windows is what a request with an
 * organization's and a key's rate limit pays; the other what two usage limits cost, from reserving to
 * settling. With 10,000 organizations most of it is memory that is in no cache.
 */
import { Bench } from "tinybench";
import { SharedRateWindows } from "../../src/store/rate-windows.ts";
import { SharedSlots } from "../../src/store/shared-slots.ts";
import { SharedUsageWindows, type UsageCap } from "../../src/store/usage-windows.ts";

const organizations = 10_000;
const ids = Array.from({ length: organizations }, (_, i) => i.toString(16).padStart(32, "0"));
const pairs = ids.map((id) => [`org_${id}`, `key_${id}`] as const);

const slots = new SharedSlots({ slots: 65_536, bytesPerSlot: 64 });
const rates = new SharedRateWindows({ slots: 65_536 });
const usage = new SharedUsageWindows({ slots: 65_536 });
rates.timeline.start();
usage.timeline.start();

const checks = pairs.map(([org, key]) => [
  { id: org, limit: 1_000_000 },
  { id: key, limit: 1_000_000 },
]);
const caps = pairs.map(([org, key]): readonly UsageCap[] => [
  { id: org, type: "tokens", window: "day", threshold: 2n ** 60n, hard: false },
  { id: key, type: "cost", window: "month", threshold: 2n ** 60n, hard: true },
]);
const full = [
  { id: "org", limit: 10 },
  { id: "key", limit: 10 },
];
const worst = { costMicroUsd: 5_000n, tokens: 9_000n, requests: 1n };
const actual = { costMicroUsd: 1_200n, tokens: 700n, requests: 1n };

let round = 0;
const next = (): number => (round = (round + 1) % organizations);
const bench = new Bench({ time: 500, warmupTime: 300 });
bench.add("claim a slot that this thread knows", () => void slots.claim(ids[next()] ?? ""));
bench.add("lock and unlock a slot", () => void slots.withLock("one", (index) => index));
const some = (): number => next() % 100;
bench.add("check and consume two windows, 10,000 organizations", () => {
  rates.consume(checks[next()] ?? []);
});
bench.add("check and consume two windows, 100 organizations", () => {
  rates.consume(checks[some()] ?? []);
});
bench.add("a refusal by a full window", () => void rates.consume(full));
function reserveAndSettle(organization: number): void {
  const decision = usage.reserve(caps[organization] ?? [], worst);
  if (decision.admitted) usage.settle(decision.reservation, actual);
}
bench.add("reserve and settle two usage limits, 10,000 organizations", () => {
  reserveAndSettle(next());
});
bench.add("reserve and settle two usage limits, 100 organizations", () => {
  reserveAndSettle(some());
});

await bench.run();
console.table(
  bench.tasks.map(({ name, result }) => {
    if (result.state !== "completed") throw new Error(`${name}: ${result.state}`);
    return {
      name,
      "median µs": Number((result.latency.p50 * 1000).toPrecision(3)),
      "p99 µs": Number((result.latency.p99 * 1000).toPrecision(3)),
    };
  }),
);
