// Measures the entity detectors against labelled data:
// `npm run eval -- --data FOLDER [--half reporting] [--confusions N]`.
// Prints precision, recall and F1 for each source and entity type, at the default threshold, and
// MB/s. Failures are shown for the calibration half only: --confusions prints up to N texts of each
// file.
import { parseArgs } from "node:util";
import { entityDetectors } from "../../src/detectors/catalog.ts";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import { entityScoreThresholdDefault, type EntityMatch } from "../../src/detectors/entity.ts";
import { loadNameFinder } from "../../src/detectors/names/name-finder.ts";
import { withoutOverlaps } from "../../src/detectors/overlap.ts";
import { readRows, type Half, type Row } from "./rows.ts";
import { count, interval, tallyOf, Tally, type Matching } from "./tally.ts";
import { goldTypeOf, ourTypes, typeOf } from "./types.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    half: { type: "string", default: "reporting" },
    confusions: { type: "string", default: "0" },
  },
});
const half = options.half as Half;
const confusionsMax = Number(options.confusions);
if (options.data === undefined) throw new Error("name the folder of the data: --data FOLDER");
const folder = options.data;

/** Types that the figure over structured data leaves out. */
const unstructured = new Set(["PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME"]);

const engine = new EntityEngine(entityDetectors);
const names = loadNameFinder();
const categories = new Set(["pii", "phi", "credential"] as const);
/** Engines that have only the detectors of one type. */
const engines = new Map<string, EntityEngine>();
const speed = { bytes: 0, ms: 0 };

function find(
  text: string,
  threshold: number = entityScoreThresholdDefault,
): readonly EntityMatch[] {
  const before = performance.now();
  const patterns = engine.scan(text, { categories, threshold });
  const { matches } = names.find(text, Infinity);
  const found = withoutOverlaps([
    ...patterns,
    ...matches.filter(({ score }) => score >= threshold),
  ]);
  speed.ms += performance.now() - before;
  speed.bytes += Buffer.byteLength(text);
  return found;
}

for (const name of ["presidio_synth_v2", "presidio_generated_large"]) report(name, spans);
for (const name of ["gitleaks_cases", "detect_secrets_cases", "secretlint_cases"]) {
  report(name, cases);
}
report("presidio_unit", unitCases);
console.log(`\n${(speed.bytes / 1000 / speed.ms).toFixed(1)} MB/s over these short texts`);

function report(name: string, evaluate: (rows: readonly Row[]) => void): void {
  const rows = readRows(folder, name, half);
  if (rows === null) return;
  console.log(`\n${name}: ${rows.length} rows (${half})`);
  evaluate(rows);
}

/** Measures sentences with labelled spans, for each type, by overlap and exactly. */
function spans(rows: readonly Row[]): void {
  const found = rows.map(({ text }) =>
    find(text).map((match) => ({ ...match, type: typeOf(match) })),
  );
  for (const matching of ["overlap", "exact"] satisfies Matching[]) {
    const tallies = new Map<string, Tally>();
    for (const [i, { spans: gold = [] }] of rows.entries()) {
      const ours = gold.flatMap((span) => {
        const type = goldTypeOf(span.type);
        return type === null ? [] : [{ ...span, type }];
      });
      count(ours, found[i] ?? [], matching, tallies);
    }
    print(matching, tallies);
  }
  confusions(rows, (row, i) => {
    const wanted = new Set((row.spans ?? []).map(({ type }) => goldTypeOf(type) ?? "(not ours)"));
    return (
      (found[i] ?? []).some(({ type }) => !wanted.has(type)) ||
      wanted.size > (found[i] ?? []).length
    );
  });
}

function print(matching: Matching, tallies: ReadonlyMap<string, Tally>): void {
  const structured = new Tally();
  for (const [type, tally] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`  ${matching.padEnd(8)} ${type.padEnd(28)} ${tally.toString()}`);
    if (!unstructured.has(type)) structured.add(tally);
  }
  console.log(`  ${matching.padEnd(8)} ${"structured".padEnd(28)} ${structured.toString()}`);
}

/**
 * Measures cases with or without a credential. A row counts once, independent of the number of
 * findings in it.
 */
function cases(rows: readonly Row[]): void {
  const tally = new Tally();
  const wrong = rows.map((row) => {
    const isFound = find(row.text).some(({ detector }) => detector.category === "credential");
    if (row.label === 1 && isFound) tally.truePositives += 1;
    if (row.label === 1 && !isFound) tally.falseNegatives += 1;
    if (row.label === 0 && isFound) tally.falsePositives += 1;
    return isFound !== (row.label === 1);
  });
  console.log(`  rows     ${"credential".padEnd(28)} ${tally.toString()}`);
  confusions(rows, (_row, i) => wrong[i] ?? false);
}

/**
 * Measures a recognizer's own unit cases, if we have the same entity. A case is reproduced if as
 * many entities are found, and at the same places if the case names them. Those tests give one
 * recognizer a value without context and accept any score above 0. So only the detectors of that
 * entity search here. Beside it stands the same with all detectors; there a number gets the most
 * likely of its many meanings.
 */
function unitCases(rows: readonly Row[]): void {
  unitCasesBy("only that entity's detectors, any score", rows, findAlone);
  unitCasesBy("all detectors, any score", rows, (text) => find(text, 0));
}

function unitCasesBy(
  way: string,
  rows: readonly Row[],
  findBy: (text: string, type: string) => readonly EntityMatch[],
): void {
  const tallies = new Map<string, Tally>();
  const all = new Tally();
  const wrong = rows.map((row) => {
    const type = goldTypeOf(row.entity ?? "");
    if (type === null || !ourTypes.has(type)) return false;
    const found = findBy(row.text, type).filter((match) => typesOf(type).includes(typeOf(match)));
    const isPlaced = (row.spans ?? []).every((gold) =>
      found.some(({ start, end }) => start === gold.start && end === gold.end),
    );
    const isReproduced = found.length === row.count && isPlaced;
    for (const tally of [tallyOf(tallies, type), all]) {
      if (isReproduced) tally.truePositives += 1;
      else tally.falseNegatives += 1;
    }
    return !isReproduced;
  });
  const { truePositives, falseNegatives } = all;
  const share = interval(truePositives, truePositives + falseNegatives);
  console.log(`  reproduced ${share} (${way})`);
  if (half !== "calibration") return;
  for (const [type, { truePositives, falseNegatives }] of tallies) {
    if (falseNegatives === 0) continue;
    console.log(`    ${type.padEnd(28)} ${truePositives} of ${truePositives + falseNegatives}`);
  }
  confusions(rows, (_row, i) => wrong[i] ?? false);
}

/**
 * The tests of the recognizer of names also look for dates, and their cases do not say which is
 * meant.
 */
function typesOf(type: string): readonly string[] {
  return type === "PERSON" ? ["PERSON", "DATE_TIME"] : [type];
}

/** The findings of the detectors of one type, with any score. */
function findAlone(text: string, type: string): readonly EntityMatch[] {
  let alone = engines.get(type);
  if (!alone) {
    const ofType = entityDetectors.filter((detector) =>
      typesOf(type).includes(typeOf({ detector })),
    );
    alone = new EntityEngine(ofType);
    engines.set(type, alone);
  }
  const { matches } = names.find(text, Infinity);
  return withoutOverlaps([
    ...alone.scan(text, { categories, threshold: 0 }),
    ...matches.filter((match) => typesOf(type).includes(typeOf(match))),
  ]);
}

/**
 * Prints wrong rows, but never of the reporting half, because those who tune a detector must not
 * see them.
 */
function confusions(rows: readonly Row[], isWrong: (row: Row, i: number) => boolean): void {
  if (half !== "calibration") return;
  for (const row of rows.filter(isWrong).slice(0, confusionsMax)) {
    const found = find(row.text).map((match) => `${typeOf(match)} ${match.start}–${match.end}`);
    console.log(`    ${JSON.stringify(row.text)}\n      found: ${found.join(", ") || "nothing"}`);
  }
}
