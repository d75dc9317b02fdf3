// node training/names/evaluate.ts --data ../shared/data/dev [--model file] [--half reporting] [--show 0]
// Overlap precision, recall and F1 of names and places on the presidio-research sentences.
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { loadNameFinder } from "../../src/detectors/names/name-finder.ts";

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Row {
  readonly text: string;
  readonly spans: readonly Span[];
}

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data/dev" },
    model: { type: "string" },
    half: { type: "string", default: "all" },
    threshold: { type: "string", default: "0.5" },
    show: { type: "string", default: "0" },
  },
});
const finder = loadNameFinder(options.model);
const threshold = Number(options.threshold);

const goldType: Readonly<Record<string, string>> = {
  PERSON: "PERSON",
  GPE: "LOCATION",
  LOCATION: "LOCATION",
  ORGANIZATION: "ORGANIZATION",
};
const addressTypes: ReadonlySet<string> = new Set(["STREET_ADDRESS", "ADDRESS"]);

/** How addresses count: as places, as wrong, or not at all. */
const variants = ["LOCATION with addresses", "LOCATION strict", "LOCATION, addresses ignored"];

for (const name of ["presidio_synth_v2", "presidio_generated_large"]) {
  const rows = readRows(join(options.data, `${name}.jsonl.gz`));
  console.log(`${name}, ${rows.length} rows (${options.half}), threshold ${threshold}`);
  report(rows, "PERSON", "PERSON", "");
  report(rows, "ORGANIZATION", "ORGANIZATION", "");
  for (const variant of variants) report(rows, "LOCATION", variant, variant);
}

function readRows(path: string): Row[] {
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Row);
  if (options.half === "all") return rows;
  const parity = options.half === "calibration" ? 0 : 1;
  return rows.filter(
    ({ text }) => createHash("sha256").update(text).digest().readUInt8(0) % 2 === parity,
  );
}

function report(rows: readonly Row[], type: string, title: string, variant: string): void {
  const counts = { found: 0, gold: 0, right: 0, said: 0 };
  const shown: string[] = [];
  for (const { text, spans } of rows) {
    const said = finder
      .find(text, Infinity)
      .matches.filter((match) => match.detector.entityType === type && match.score >= threshold);
    const gold = spans.filter(
      (span) =>
        goldType[span.type] === type || (variant.includes("with") && addressTypes.has(span.type)),
    );
    const ignored = variant.includes("ignored")
      ? spans.filter((span) => addressTypes.has(span.type))
      : [];
    const missed = gold.filter((span) => !said.some((match) => overlap(span, match)));
    const wrong = said.filter(
      (match) => ![...gold, ...ignored].some((span) => overlap(span, match)),
    );
    counts.gold += gold.length;
    counts.found += gold.length - missed.length;
    counts.right += said.filter((match) => gold.some((span) => overlap(span, match))).length;
    counts.said += said.filter(
      (match) => gold.some((span) => overlap(span, match)) || wrong.includes(match),
    ).length;
    const cut = (span: { start: number; end: number }): string => text.slice(span.start, span.end);
    for (const span of missed)
      shown.push(`missed ${type} «${cut(span)}» in ${JSON.stringify(text)}`);
    for (const match of wrong)
      shown.push(`wrong ${type} «${cut(match)}» ${match.score} in ${JSON.stringify(text)}`);
  }
  const precision = counts.right / counts.said;
  const recall = counts.found / counts.gold;
  const f1 = (2 * precision * recall) / (precision + recall);
  console.log(
    `  ${title.padEnd(28)} P ${precision.toFixed(3)} R ${recall.toFixed(3)} F1 ${f1.toFixed(3)} (${counts.gold} gold, ${counts.said} found)`,
  );
  const step = Math.max(1, Math.floor(shown.length / Math.max(1, Number(options.show))));
  if (Number(options.show) > 0)
    shown
      .filter((_, at) => at % step === 0)
      .forEach((line) => console.log(`    ${line.slice(0, 300)}`));
}

function overlap(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}
