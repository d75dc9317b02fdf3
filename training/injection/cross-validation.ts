import type { Segment } from "../../src/contract/scan.ts";
import { shareAbove, thresholdAt } from "../../bench/eval/injection/metrics.ts";
import { ModelDetector } from "../../src/detectors/injection/model-detector.ts";
import type { Head, InjectionModel } from "../../src/detectors/injection/model-file.ts";
import { logOddsOf, trainModels, type Effort } from "./assemble.ts";
import type { Row } from "./rows.ts";
import type { WordVectors } from "./word-vectors.ts";

/** Sources are dealt to so many groups, each left out in turn. */
const groups = 3;
/** Less than what is shipped gets, for it is done so often; ranks need no calibration. */
const effort: Effort = { epochs: 6, models: 1, isCalibrated: false };

/** A text of a group that was left out, and its log-odds. */
interface Left {
  readonly row: Row;
  readonly combined: number;
  readonly linear: number;
}

/**
 * Trains without each group of sources, of public ones and of families of our own corpus alike, and
 * prints how much of the attacks left out is found at shares of the honest texts left out, with the
 * network and without.
 */
export async function crossValidate(rows: readonly Row[], vectors: WordVectors): Promise<void> {
  const groupOf = dealt(rows);
  const left: Left[] = [];
  for (let group = 0; group < groups; group++) {
    const isLeft = ({ source }: Row): boolean => groupOf.get(source) === group;
    const { model } = await trainModels(
      rows.filter((row) => !isLeft(row)),
      "",
      vectors,
      effort,
    );
    const combined = new ModelDetector(model);
    const linear = new ModelDetector(withoutNetwork(model));
    for (const row of rows.filter(isLeft)) {
      left.push({ row, combined: logOddsOf(combined, row), linear: logOddsOf(linear, row) });
    }
    console.log(`Without ${[...groupOf].filter(([, own]) => own === group).length} sources:`);
    print(left.filter(({ row }) => isLeft(row)));
  }
  console.log("All of these:");
  print(left);
}

/** By label and segment the sources with most rows first, each to the group that has fewest rows. */
function dealt(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, Map<string, number>>();
  for (const { label, segment, source } of rows) {
    const key = `${label}${segment}`;
    const own = counts.get(key) ?? new Map<string, number>();
    own.set(source, (own.get(source) ?? 0) + 1);
    counts.set(key, own);
  }
  const found = new Map<string, number>();
  for (const [, own] of [...counts].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const totals = Array.from({ length: groups }, () => 0);
    for (const [source, count] of [...own].sort(([, a], [, b]) => b - a)) {
      const group = found.get(source) ?? totals.indexOf(Math.min(...totals));
      found.set(source, group);
      totals[group] = (totals[group] ?? 0) + count;
    }
  }
  return found;
}

function withoutNetwork(model: InjectionModel): InjectionModel {
  const off = (head: Head): Head => ({ ...head, band: { ...head.band, share: 0 } });
  const { header } = model;
  return { ...model, header: { ...header, user: off(header.user), tool: off(header.tool) } };
}

function print(left: readonly Left[]): void {
  const segments: readonly Segment[] = ["user", "tool"];
  for (const segment of segments) {
    const own = left.filter(({ row }) => row.segment === segment);
    const attacks = own.filter(({ row }) => row.label === 1);
    const honest = own.filter(({ row }) => row.label === 0);
    for (const which of ["linear", "combined"] as const) {
      const recalls = [0.001, 0.01, 0.05].map((share) => {
        const threshold = thresholdAt(
          honest.map((text) => text[which]),
          share,
        );
        const { hits, of } = shareAbove(
          attacks.map((text) => text[which]),
          threshold,
        );
        return (hits / of).toFixed(3);
      });
      const texts = `${attacks.length} attacks, ${honest.length} honest texts`;
      console.log(`  ${segment}, ${texts}, ${which}: ${recalls.join(" ")} at 0.1, 1 and 5 %`);
    }
  }
}
