import { expect, test } from "vitest";
import { attackTimeoutMs, rounds } from "../support/rounds.ts";
import { simulate } from "./simulation.ts";

const attack = { roundsMin: 200, roundsMax: 100_000, share: 0.2 };
const timeout = attackTimeoutMs(attack, 1_000);

test("the books square in hostile worlds", { timeout }, async () => {
  const counts: Record<string, number> = {};
  for (const seed of rounds(attack)) {
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
  "replayed",
  "stop",
  "full disk",
  "not promised",
  "in another thread",
  "responses 200",
  "embeddings 200",
  "count_tokens 200",
  "responses 404",
  "went on",
  "known elsewhere true",
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
