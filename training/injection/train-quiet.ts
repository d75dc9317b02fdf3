// Trains the detector of quiet injections: `npm run train:quiet -- --data FOLDER`, in some minutes.
//
// Writes src/detectors/injection/quiet/quiet.bin from training/corpus/quiet and from the tools' texts that
// the detector itself is trained with; the same inputs give the same bytes. What it prints, and what the
// scores are calibrated on, are texts whose kind of carrier the model had not seen.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Clues } from "../../src/detectors/injection/quiet/clues.ts";
import {
  cluesFingerprint,
  writeQuietModel,
  type QuietModel,
} from "../../src/detectors/injection/quiet/quiet-model.ts";
import type { Calibration } from "../../src/detectors/injection/model-file.ts";
import { scoreOfShare } from "../../src/detectors/injection/request-score.ts";
import { calibrate } from "./calibration.ts";
import {
  cluesOf,
  hashOfRows,
  readOtherTools,
  readQuietCorpus,
  type QuietText,
} from "./quiet-rows.ts";
import { quietLogOdds, trainQuiet, type QuietExample, type QuietWeights } from "./quiet-trainer.ts";

/** What a row counts: twins teach the most, and an honest text beside thousands of others little. */
const weightOf = ({ kind, role, label }: QuietText): number => {
  if (kind === "other") return label === 1 ? otherAttack : otherHonest;
  return role === "twin" ? twin : 1;
};
const otherAttack = 1;
const otherHonest = 1;
const aloneShare = 0.5;
const foreignShare = 0.5;
const twin = 6;
/** Of a text in which no sentence names a deed. */
const rawLeast = -20;
/** Kinds of carriers are dealt to so many groups, each left out in turn. */
const groups = 5;
/**
 * Up to this share the honest texts themselves say which log-odds a score stands for. Beyond, where there
 * are two or three, the tail is taken as exponential, as steep as beyond `tailShare`.
 */
const countedShare = 0.0005;
const tailShare = 0.005;
/** Weights beyond this are cut, so that the many small ones keep their sign. */
const greatestShare = 0.9999;

const { values: options } = parseArgs({
  options: { data: { type: "string" }, out: { type: "string" } },
});
if (options.data === undefined) throw new Error("name the folder of the data: --data FOLDER");

interface Seen {
  readonly row: QuietText;
  readonly example: QuietExample;
}

const clues = new Clues();
const rows = [...readQuietCorpus(), ...readOtherTools(options.data)];
const seen = rows.map((row): Seen => {
  const example = { sentences: cluesOf(row, clues), label: row.label, weight: weightOf(row) };
  return { row, example };
});
const own = seen.filter(({ row }) => row.kind !== "other");
/** The same where nobody knows what the user asked, as for a text that is scanned alone. */
const ownAlone = own.map(({ row, example }): Seen => {
  const sentences = cluesOf({ ...row, user: null }, clues);
  return { row, example: { ...example, sentences, weight: example.weight * aloneShare } };
});
/** Honest texts as if each line were another company's: not every strange address is an attack. */
const foreign = seen
  .filter(({ row }) => row.role === "honest")
  .map(({ row, example }): Seen => {
    const sentences = cluesOf(row, clues, true);
    return { row, example: { ...example, sentences, weight: example.weight * foreignShare } };
  });
const taught = [...seen, ...ownAlone, ...foreign];
const kinds = [...new Set(own.map(({ row }) => row.kind))].sort();
console.log(`${rows.length} rows, ${own.length} of ${kinds.length} kinds of carriers`);

const apart = scoredApart();
report(apart);
if (options.out !== "-") {
  const model = complete(trainQuiet(taught.map(({ example }) => example)));
  const target =
    options.out ?? new URL("../../src/detectors/injection/quiet/quiet.bin", import.meta.url);
  writeFileSync(target, writeQuietModel(model));
  console.log(`${model.header.version}: inputs ${model.header.inputs}`);
}

/** Each row of the quiet corpus by a model that has not seen its kind of carrier. */
function scoredApart(): { row: QuietText; raw: number }[] {
  return Array.from({ length: groups }, (_, group) => {
    const left = new Set(kinds.filter((_kind, at) => at % groups === group));
    const model = trainQuiet(
      taught.filter(({ row }) => !left.has(row.kind)).map(({ example }) => example),
    );
    return own
      .filter(({ row }) => left.has(row.kind))
      .map(({ row, example }) => ({ row, raw: quietLogOdds(model, example.sentences) }));
  }).flat();
}

/** The map from log-odds to scores, after the honest texts and twins of carriers that were left out. */
function calibration(): Calibration {
  const raws = apart
    .filter(({ row }) => row.label === 0)
    .map(({ raw }) => Math.max(raw, rawLeast))
    .sort((a, b) => b - a);
  const usual = calibrate(raws.map((raw) => ({ raw, weight: 1 })));
  const at = (share: number): number => raws[Math.floor(share * raws.length)] ?? rawLeast;
  const beyond = raws.filter((raw) => raw >= at(tailShare)).map((raw) => raw - at(tailShare));
  const mean = beyond.reduce((sum, excess) => sum + excess, 0) / beyond.length;
  const raw = usual.raw.map((found, point) => {
    const [share = 1] = scoreOfShare[point] ?? [];
    if (share > tailShare) return found;
    const own = at(Math.max(share, countedShare));
    const excess = share < countedShare ? mean * Math.log(countedShare / share) : 0;
    return own + excess;
  });
  // Straight lines need points that rise.
  for (let point = 1; point < raw.length; point++) {
    raw[point] = Math.max(raw[point] ?? 0, (raw[point - 1] ?? 0) + 1e-3);
  }
  return { raw: raw.map((one) => Math.round(one * 1e4) / 1e4), score: usual.score };
}

function complete({ bias, weights }: QuietWeights): QuietModel {
  const sorted = Float64Array.from(weights, Math.abs).sort();
  const scale = (sorted[Math.floor(sorted.length * greatestShare)] ?? 1) / 127;
  const quantized = Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / scale))),
  );
  const rest = {
    inputs: hashOfRows(rows),
    clues: cluesFingerprint(),
    bias,
    scale,
    calibration: calibration(),
  };
  const digest = createHash("sha256").update(JSON.stringify(rest)).update(quantized);
  return {
    header: { version: `quiet-${digest.digest("hex").slice(0, 12)}`, ...rest },
    weights: quantized,
  };
}

function report(scored: readonly { row: QuietText; raw: number }[]): void {
  const of = (role: QuietText["role"]) => scored.filter(({ row }) => row.role === role);
  const honest = of("honest")
    .map(({ raw }) => raw)
    .sort((a, b) => b - a);
  console.log("Of carriers that were left out, at a share of the honest texts:");
  for (const share of [0.0005, 0.001, 0.002, 0.005, 0.01]) {
    const from = honest[Math.floor(share * honest.length)] ?? 0;
    const above = (role: QuietText["role"]) => of(role).filter(({ raw }) => raw > from).length;
    console.log(
      `  ${share * 100} %: ${from.toFixed(2)}, ${above("attack")} of ${of("attack").length} attacks, ${above("twin")} of ${of("twin").length} twins`,
    );
  }
  const { raw } = calibration();
  for (const from of [raw[9] ?? 0, raw[10] ?? 0, raw[11] ?? 0]) {
    const at = (role: QuietText["role"]) => of(role).filter((one) => one.raw >= from).length;
    console.log(
      `  from ${from}: ${at("attack")} attacks, ${at("twin")} twins, ${at("honest")} honest`,
    );
  }
}
