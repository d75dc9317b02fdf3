import { expect, test } from "vitest";
import { withoutDuplicates } from "../../../training/injection/duplicates.ts";
import { readCorpus, readHeldOut } from "../../../training/injection/rows.ts";

test(
  "no text that is kept to measure with is trained on, not even nearly",
  { timeout: 120_000 },
  () => {
    const heldOut = readHeldOut().map((row) => ({ ...row, isKept: true }));
    const trained = readCorpus().map((row) => ({ ...row, isKept: false }));
    expect(heldOut.length).toBeGreaterThan(1_000);
    const left = withoutDuplicates([...trained, ...heldOut]);
    expect(left.filter(({ isKept }) => isKept)).toHaveLength(heldOut.length);
  },
);
