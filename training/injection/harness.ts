import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { harnessFingerprint } from "../../src/detectors/injection/fingerprint.ts";
import { harnessLogOdds, toolRawAt } from "../../src/detectors/injection/harness-stage.ts";
import { ModelDetector } from "../../src/detectors/injection/model-detector.ts";
import type { HarnessHead, InjectionModel } from "../../src/detectors/injection/model-file.ts";
import { foldOf, isOwn, versioned } from "./assemble.ts";
import { calibrate } from "./calibration.ts";
import { fitLogistic, type LogisticRow } from "./logistic.ts";
import type { Row } from "./rows.ts";
import { cut } from "./trainer.ts";

/** An honest text that a coding agent brings along. */
export interface HarnessRow {
  readonly id: string;
  readonly text: string;
}

/** What each class of rows counts in all. */
const classWeights = {
  harness: 2,
  "honest tool": 0.3,
  "honest user": 1.5,
  "attack user": 1,
  "attack tool": 1,
} as const;
type Class = keyof typeof classWeights;

const decay = 20;
/** A class's weight in all, so that `decay` means the same whatever the number of rows. */
const weightOfOne = 10_000;
/** The second stage is calibrated on texts of the corpus that it did not see, a fold at a time. */
const folds = 4;
/**
 * Points stand for these parts of their share of the corpus' texts, of which the second stage and the tool
 * head together block what the point says, and a little less: other people's texts are not quite like ours.
 */
const shareKept = { stage: 0.55, tool: 0.35 };

export function readHarness(): HarnessRow[] {
  const folder = new URL("../corpus/harness/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as HarnessRow);
}

/**
 * The model with a second stage for what coding agents bring along. `apart`: the models that have not
 * seen a fold of `rows` each; a row is read by the one that has not seen it, and no model has seen
 * `harness`.
 */
export function withHarness(
  model: InjectionModel,
  apart: readonly InjectionModel[],
  rows: readonly Row[],
  harness: readonly HarnessRow[],
): InjectionModel {
  const detectors = apart.map((own) => new ModelDetector(own));
  const known = rows.flatMap((row) => {
    const detector = detectors[foldOf(row)];
    return detector === undefined ? [] : exampleOf(detector, row);
  });
  const honest = harness.map(({ id, text }) => ({
    id,
    seen: detectors.flatMap((detector) => inputsOf(detector, text)),
  }));
  const fit = (texts: typeof honest): Pick<HarnessHead, "bias" | "weights"> =>
    fitted([
      ...known,
      ...texts.flatMap(({ seen }) =>
        seen.map((inputs): Example => ({ inputs, of: "harness", part: "", label: 0 })),
      ),
    ]);
  const shipped = new ModelDetector(model);
  const toolRaws = harness.map(({ text }) => Math.max(...inputsOf(shipped, text).map(toolRaw)));
  const raws = Array.from({ length: folds }, (_, fold) => {
    const head = fit(honest.filter(({ id }) => harnessFold(id) !== fold));
    return harness
      .filter(({ id }) => harnessFold(id) === fold)
      .map(({ text }) => Math.max(...inputsOf(shipped, text).map((one) => rawOf(one, head))));
  }).flat();
  const stage = fit(honest);
  const texts = createHash("sha256");
  for (const { text } of harness) texts.update(JSON.stringify(text));
  const head: HarnessHead = {
    fingerprint: harnessFingerprint(shipped),
    texts: texts.digest("hex"),
    ...stage,
    calibration: calibrate(
      raws.map((raw) => ({ raw, weight: 1 })),
      shareKept.stage,
    ),
    tool: calibrate(
      toolRaws.map((raw) => ({ raw, weight: 1 })),
      shareKept.tool,
    ),
  };
  return versioned({ ...model, header: { ...model.header, harness: head } });
}

interface Example {
  readonly inputs: Float64Array;
  readonly of: Class;
  /** Public or our own: each counts half of its class. */
  readonly part: string;
  readonly label: 0 | 1;
}

/** Of an attack its worst piece, of an honest text all. */
function exampleOf(detector: ModelDetector, row: Row): Example[] {
  const { text, label, segment } = row;
  const seen = inputsOf(detector, text);
  const of: Class = `${label === 1 ? "attack" : "honest"} ${segment}`;
  const part = isOwn(row) ? "own" : "public";
  const taken =
    label === 1
      ? [seen.reduce((worst, one) => (toolRaw(one) > toolRaw(worst) ? one : worst))]
      : seen;
  return taken.map((inputs) => ({ inputs, of, part, label }));
}

function toolRaw(inputs: Float64Array): number {
  return inputs[toolRawAt] ?? 0;
}

function inputsOf(detector: ModelDetector, text: string): Float64Array[] {
  return cut(Buffer.from(text)).map((utf8) => Float64Array.from(detector.harnessInputs(utf8)));
}

function rawOf(inputs: Float64Array, head: Pick<HarnessHead, "bias" | "weights">): number {
  return harnessLogOdds(inputs, head);
}

function fitted(examples: readonly Example[]): Pick<HarnessHead, "bias" | "weights"> {
  const counts = new Map<string, number>();
  const parts = new Map<Class, Set<string>>();
  for (const { of, part } of examples) {
    counts.set(`${of}|${part}`, (counts.get(`${of}|${part}`) ?? 0) + 1);
    parts.set(of, (parts.get(of) ?? new Set()).add(part));
  }
  const rows = examples.map(({ inputs, of, part, label }): LogisticRow => {
    const share = (parts.get(of)?.size ?? 1) * (counts.get(`${of}|${part}`) ?? 1);
    return {
      inputs: Float64Array.of(1, ...inputs),
      label,
      weight: (weightOfOne * classWeights[of]) / share,
    };
  });
  const [bias = 0, ...weights] = fitLogistic(rows, decay);
  const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;
  return { bias: rounded(bias), weights: weights.map(rounded) };
}

function harnessFold(id: string): number {
  return createHash("sha256").update(id).digest().readUInt8(0) % folds;
}
