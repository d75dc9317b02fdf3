import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withoutDuplicates } from "../../../training/injection/duplicates.ts";
import { readCorpus, readHeldOut, readQuiet, type Row } from "../../../training/injection/rows.ts";

/** What coding agents bring along is in the user role, whatever wrapper is put around it. */
function readHarness(folder: "corpus" | "held-out"): Pick<Row, "text" | "label" | "segment">[] {
  const url = new URL(`../../../training/${folder}/harness/`, import.meta.url);
  return readdirSync(url)
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(new URL(file, url), "utf8").trimEnd().split("\n"))
    .map((line) => ({ ...(JSON.parse(line) as Pick<Row, "text" | "label">), segment: "user" }));
}

test(
  "no text that is kept to measure with is trained on, not even nearly",
  { timeout: 120_000 },
  () => {
    const heldOut = [...readHeldOut(), ...readHarness("held-out")].map((row) => ({
      ...row,
      isKept: true,
    }));
    const trained = [...readCorpus(), ...readQuiet("corpus"), ...readHarness("corpus")].map(
      (row) => ({
        ...row,
        isKept: false,
      }),
    );
    expect(heldOut.length).toBeGreaterThan(3_000);
    const left = withoutDuplicates([...trained, ...heldOut]);
    expect(left.filter(({ isKept }) => isKept)).toHaveLength(heldOut.length);
  },
);
