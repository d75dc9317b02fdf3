import { readFileSync, readdirSync } from "node:fs";
import type { ScoredSegment } from "../../../src/detectors/injection/detector.ts";
import type { ModelDetector } from "../../../src/detectors/injection/model-detector.ts";
import { operatingPoints } from "../../../src/detectors/injection/verdict.ts";
import { roundedScore } from "./score.ts";
import type { InjectionRow } from "./rows.ts";

const points = [operatingPoints.strict, operatingPoints.balanced, operatingPoints.permissive];

/** An honest text that a coding agent adds by itself. */
interface HarnessRow {
  readonly kind: string;
  readonly text: string;
}

/** The texts of `training/held-out/harness`, which no training reads. */
export function readHeldOutHarness(): HarnessRow[] {
  const folder = new URL("../../../training/held-out/harness/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as HarnessRow);
}

/**
 * Prints the share that reaches each operating point, if the same texts are scored as each kind of
 * text.
 */
export function reportHarness(
  detector: ModelDetector,
  rows: readonly InjectionRow[],
  honest: readonly HarnessRow[],
): void {
  console.log("\nScored as what an agent brings along: reach strict, balanced, permissive");
  const attacks = rows.filter(({ label, core }) => label === 1 && core !== false);
  for (const own of ["user", "tool"] as const) {
    const texts = attacks.filter(({ segment }) => segment === own).map(({ text }) => text);
    for (const as of [own, "harness"] as const) line(detector, `${own} attacks`, texts, as);
  }
  for (const kind of [...new Set(honest.map((row) => row.kind))].sort()) {
    const texts = honest.filter((row) => row.kind === kind).map(({ text }) => text);
    for (const as of ["user", "tool", "harness"] as const) line(detector, kind, texts, as);
  }
  line(
    detector,
    "all kept",
    honest.map(({ text }) => text),
    "harness",
  );
}

function line(
  detector: ModelDetector,
  name: string,
  texts: readonly string[],
  as: ScoredSegment,
): void {
  if (texts.length === 0) return;
  const scores = texts.map((text) => roundedScore(detector, text, as));
  const reached = points.map((point) => scores.filter((score) => score >= point).length);
  const told = reached.map((hits) => `${hits} (${((100 * hits) / texts.length).toFixed(2)} %)`);
  const count = String(texts.length).padStart(5);
  console.log(`  ${name.padEnd(14)} as ${as.padEnd(8)} ${count}  ${told.join("  ")}`);
}
