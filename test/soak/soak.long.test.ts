import { expect, test } from "vitest";
import { longRunMinutes } from "../support/rounds.ts";
import { soak } from "./soak.ts";

/*
 * A short soak. Books and handles are exact on any machine; how memory moves in a minute tells
 * nothing but whether it runs away. `npm run soak` runs half an hour and looks at memory's slope.
 */

const anonymousGrowthBytesMax = 256 * 1024 * 1024;
const requestsMin = 100;
/** Of the minutes of `npm run test:long`; a minute at least. */
const minutes = Math.max(1, longRunMinutes * 0.2);

test(
  "minutes of everything leave square books and nothing open",
  { timeout: 180_000 + minutes * 60_000 },
  async () => {
    const seed = Number(process.env["WEIR_SOAK_SEED"] ?? 1);
    const { witness, books, before, after, unsettled, exitCode } = await soak({
      minutes,
      seed,
      requestsPerSecond: 40,
    });
    expect(witness.faults).toEqual([]);
    expect(books.faults).toEqual([]);
    expect(unsettled).toEqual([]);
    expect(exitCode).toBe(0);
    // Else it has shown nothing.
    expect(witness.requests).toBeGreaterThan(requestsMin);
    expect(books.debits).toBeGreaterThan(0);
    if (before === null || after === null) return;
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.anonymousBytes - before.anonymousBytes).toBeLessThan(anonymousGrowthBytesMax);
  },
);
