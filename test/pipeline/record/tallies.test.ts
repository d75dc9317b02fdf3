import fc from "fast-check";
import { AggregatorRegistry, Counter, Histogram, Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { HistogramTally, Tally } from "../../../src/pipeline/record/tallies.ts";

/** As `Metrics.expose` writes it. */
async function textOf(registry: Registry): Promise<string> {
  return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON()]).metrics();
}

const route = fc.constantFrom("chat", "messages", "r-1", "", "__proto__");
const status = fc.integer({ min: 0, max: 40 });
const about = { name: "weir_x", help: "What it is." };

describe("a tally shows what prom-client's own would", () => {
  test("of counts by labels, at every scrape", async () => {
    const labelNames = ["route", "status"] as const;
    const round = fc.array(fc.tuple(fc.nat(5), route, status), { maxLength: 60, size: "max" });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 4 }), async (rounds) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const tally = new Tally({ ...about, labelNames, registry: ours });
        const counter = new Counter({ ...about, labelNames, registers: [theirs] });
        for (const counts of rounds) {
          for (const [count, aRoute, aStatus] of counts) {
            tally.add(count, aRoute, aStatus);
            counter.inc({ route: aRoute, status: aStatus }, count);
          }
          expect(await textOf(ours)).toBe(await textOf(theirs));
        }
      }),
    );
  });

  test("of a histogram by two labels, by one, and of one without", async () => {
    const buckets = [0.1, 1, 2.5];
    const value = fc.constantFrom(0, 0.05, 0.1, 0.3, 1, 2, 2.5, 2.6, 100);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, route)), async (observed) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const options = { ...about, buckets, labelNames: ["route"] as const };
        const tally = new HistogramTally({ ...options, registry: ours });
        const histogram = new Histogram({ ...options, registers: [theirs] });
        const none = { ...options, name: "weir_y", labelNames: [] };
        const plainTally = new HistogramTally({ ...none, registry: ours });
        const plain = new Histogram({ ...none, registers: [theirs] });
        for (const [seconds, aRoute] of observed) {
          tally.tally(seconds, aRoute);
          histogram.observe({ route: aRoute }, seconds);
          plainTally.tally(seconds);
          plain.observe(seconds);
        }
        expect(await textOf(ours)).toBe(await textOf(theirs));
        const pair = ["route", "status"];
        const pairTally = new HistogramTally({
          ...options,
          name: "weir_z",
          labelNames: pair,
          registry: ours,
        });
        const paired = new Histogram({
          ...options,
          name: "weir_z",
          labelNames: pair,
          registers: [theirs],
        });
        for (const [seconds, aRoute] of observed) {
          pairTally.tally(seconds, aRoute, 200);
          paired.observe({ route: aRoute, status: 200 }, seconds);
        }
        // As many more as need more memory.
        for (let i = 0; i < 40; i += 1) {
          tally.tally(0.3, `more-${i}`);
          histogram.observe({ route: `more-${i}` }, 0.3);
        }
        expect(await textOf(ours)).toBe(await textOf(theirs));
      }),
      { numRuns: 30 },
    );
  });
});
