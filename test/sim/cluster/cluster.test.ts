import { expect, test } from "vitest";
import { attackTimeoutMs, rounds } from "../../support/rounds.ts";
import { simulateCluster } from "./cluster-simulation.ts";

const attack = { roundsMin: 200, roundsMax: 100_000, share: 0.1 };
const timeout = attackTimeoutMs(attack, 1_000);

test("gateways that share a store keep its invariants in hostile worlds", { timeout }, async () => {
  const counts: Record<string, number> = {};
  for (const seed of rounds(attack)) {
    const result = await simulateCluster(seed);
    for (const [what, count] of Object.entries(result.counts)) {
      counts[what] = (counts[what] ?? 0) + count;
    }
    const said = [`seed ${seed}`, ...result.trace, ...result.violations].join("\n");
    expect(result.violations, said).toEqual([]);
  }
  // Worlds in which nothing happens would prove nothing.
  for (const what of happenings) expect(counts[what], what).toBeGreaterThan(10);
});

const happenings = [
  ...["called", "acknowledged", "operated", "released", "item", "in force"],
  ...["over a rate", "over a cap", "limits away", "lease over"],
  ...["insufficient_balance", "payg_reserved", "detector_unavailable"],
  ...["crash", "stop", "left", "fenced", "lost", "stopped", "asleep", "cut"],
  ...["server restart", "set back", "fatal", "full disk"],
];

test("a seed does the same things in the same order", async () => {
  const first = await simulateCluster(3);
  expect(await simulateCluster(3)).toEqual(first);
});
