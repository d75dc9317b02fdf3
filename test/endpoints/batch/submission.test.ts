import { expect, test } from "vitest";
import { batchPatternsMsMax } from "../../../src/contract/limits.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import { readSubmission } from "../../../src/endpoints/batch/submission.ts";
import { Inspection } from "../../../src/pipeline/body/inspect.ts";
import { codeOf, valueOf } from "../../store/temporary-store.ts";
import { ManualClock } from "../../store/manual-clock.ts";

interface Reading {
  readonly outcome: Outcome<unknown>;
  /** Lists of patterns that were checked. */
  readonly checks: number;
}

/** Reads ten items with a list of patterns each, which takes `checkMs` to be checked. */
async function read(checkMs: number, isGone = (): boolean => false): Promise<Reading> {
  const items = Array.from({ length: 10 }, (_, i) => ({
    id: `${i}`,
    input: "x",
    custom_patterns: [{ name: "p", regex: `${i}`, direction: "both", action: "flag" }],
  }));
  const body = Buffer.from(JSON.stringify({ items }));
  const inspection = new Inspection();
  inspection.grown(body, body.length);
  const clock = new ManualClock();
  let checks = 0;
  const rules = {
    contentBytesMax: 1_000,
    clock,
    checkPatterns: () => {
      checks += 1;
      clock.advance(checkMs);
      return Promise.resolve(accept(null));
    },
  };
  const outcome = await readSubmission(valueOf(inspection.finish(body)), rules, isGone);
  return { outcome, checks };
}

test("the patterns of all items have one time", async () => {
  const inTime = await read(batchPatternsMsMax / 10);
  expect([codeOf(inTime.outcome), inTime.checks]).toEqual(["accepted", 10]);
  const late = await read(batchPatternsMsMax / 4);
  expect([codeOf(late.outcome), late.checks]).toEqual(["detector_unavailable", 4]);
});

test("nothing more is checked for a client that has left", async () => {
  let looks = 0;
  const { outcome, checks } = await read(1, () => ++looks === 3);
  expect([codeOf(outcome), checks]).toEqual(["invalid_request", 3]);
});
