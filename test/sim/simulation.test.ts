import { expect, test } from "vitest";
import { simulate } from "./simulation.ts";

const seeds = 200;

test(`the books square in ${seeds} hostile worlds`, { timeout: 120_000 }, async () => {
  const counts: Record<string, number> = {};
  for (let seed = 1; seed <= seeds; seed += 1) {
    const result = await simulate(seed);
    for (const [what, count] of Object.entries(result.counts)) {
      counts[what] = (counts[what] ?? 0) + count;
    }
    const said = [`seed ${seed}`, ...result.trace, ...result.violations].join("\n");
    expect(result.violations, said).toEqual([]);
  }
  // Worlds in which nothing happens would prove nothing.
  for (const what of happenings) expect(counts[what], what).toBeGreaterThan(20);
});

const happenings = [
  "promised",
  "status 200",
  "status 402",
  "status 429",
  "status 502",
  "job",
  "crash",
  "stop",
  "full disk",
  "not promised",
  "in another thread",
  "stood still",
  "owed",
  "recovered",
  "outcome unknown",
  "expired",
  "refused",
];

test("a seed does the same things in the same order", async () => {
  const first = await simulate(7);
  expect(await simulate(7)).toEqual(first);
});
