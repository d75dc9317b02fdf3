import { createHash } from "node:crypto";
import type { Segment } from "../../src/contract/scan.ts";
import type { Band, Weighing } from "../../src/detectors/injection/evidence.ts";
import { featuresFingerprint } from "../../src/detectors/injection/fingerprint.ts";
import { harnessInputs } from "../../src/detectors/injection/harness-stage.ts";
import { ModelDetector } from "../../src/detectors/injection/model-detector.ts";
import type {
  Calibration,
  Head,
  InjectionModel,
  ModelHeader,
} from "../../src/detectors/injection/model-file.ts";
import { calibrate } from "./calibration.ts";
import { headOf, meanOf, quantized, type LinearModel } from "./linear-model.ts";
import type { NetworkWindows } from "./network-trainer.ts";
import type { Row } from "./rows.ts";
import { cut, trainingDefaults } from "./trainer.ts";
import {
  collectAll,
  trainLinear,
  trainNetworks,
  type LinearJob,
  type TrainingAnswers,
} from "./training-pool.ts";
import { Vocabulary } from "./vocabulary.ts";
import type { WordVectors } from "./word-vectors.ts";

/** Rows are dealt to so many folds; each fold's texts are scored by models without them. */
const folds = 3;
/**
 * A tool's long texts pay for their length, so that honest documents pass alike whatever theirs is.
 * Users' long texts are suspicious throughout or not at all.
 */
const weighings: Readonly<Record<Segment, Weighing>> = {
  user: { meanWeight: 0.35, lengthSlope: 0, windowsFree: 1 },
  tool: { meanWeight: 0, lengthSlope: 1.2, windowsFree: 8 },
};

/** From where one honest text in five or ten is asked about, to where few honest ones are. */
const band: Omit<Band, "share"> = { from: -2, to: 9, fade: 1 };
/** More takes from what is found in documents. */
const networkShares: Readonly<Record<Segment, number>> = { user: 0.7, tool: 0.4 };

/**
 * What the honest texts of our own count for calibration, all together, whatever their number: they were
 * written to look like attacks, or are an agent's sessions. More than traffic has of such.
 */
const ownShare: Readonly<Record<Segment, number>> = { user: 0.3, tool: 0.4 };

/** What an honest text scored with models that did not see it. */
export interface HeldOut {
  readonly row: Row;
  /** Log-odds. */
  readonly raw: number;
}

export interface Assembled {
  readonly model: InjectionModel;
  /** The models that have not seen a fold each (`foldOf`), not calibrated. */
  readonly apart: readonly InjectionModel[];
  readonly heldOut: readonly HeldOut[];
}

/** How much is trained. */
export interface Effort {
  readonly epochs: number;
  /** Linear models that are trained apart and averaged. */
  readonly models: number;
  /** Whether all is trained without each fold too, to be calibrated. */
  readonly isCalibrated: boolean;
}

const fullEffort: Effort = {
  epochs: trainingDefaults.epochs,
  // One is a matter of chance (docs/decisions/0017).
  models: 4,
  isCalibrated: true,
};

/**
 * Trains a model on `rows` and calibrates it on honest texts, `more` among them, by models that did
 * not see them.
 */
export async function assemble(
  rows: readonly Row[],
  more: readonly Row[],
  inputs: string,
  vectors: WordVectors,
): Promise<Assembled> {
  const { model, apart } = await trainModels(rows, inputs, vectors, fullEffort);
  const heldOut = apart.flatMap((own, fold) => scoreHeldOut(own, fold, rows, more));
  return { model: withCalibration(model, heldOut), apart, heldOut };
}

/** A model that is not yet calibrated, and the same without each fold. */
export interface Trained {
  readonly model: InjectionModel;
  readonly apart: readonly InjectionModel[];
}

/**
 * The linear models first, some on all rows and one without each fold; then the network on those
 * windows of each fold that the linear model without it leaves open.
 */
export async function trainModels(
  rows: readonly Row[],
  inputs: string,
  vectors: WordVectors,
  effort: Effort,
): Promise<Trained> {
  const { models } = effort;
  const linear = await trainLinear([
    ...Array.from({ length: models }, (_, model) => jobOf(rows, model, effort)),
    ...jobsApart(rows, effort),
  ]);
  const linearApart = linear.slice(models);
  const windows = await openWindows(rows, linearApart);
  const vocabulary = new Vocabulary(windows, vectors);
  const sets = setsOf(windows, vocabulary);
  const [network, ...apart] = await trainNetworksOf(
    [sets, ...(effort.isCalibrated ? withoutEach(sets) : [])],
    vocabulary,
  );
  if (network === undefined) throw new Error("no network was trained");
  const slots = vocabulary.slots();
  return {
    model: modelOf(meanOf(linear.slice(0, models)), { ...slots, ...network }, inputs),
    apart: join(linearApart, apart, slots, inputs),
  };
}

/** The models without each fold alone, the same as `trainModels` has them at full effort. */
export async function trainApart(
  rows: readonly Row[],
  inputs: string,
  vectors: WordVectors,
): Promise<readonly InjectionModel[]> {
  const linear = await trainLinear(jobsApart(rows, fullEffort));
  const windows = await openWindows(rows, linear);
  const vocabulary = new Vocabulary(windows, vectors);
  const networks = await trainNetworksOf(withoutEach(setsOf(windows, vocabulary)), vocabulary);
  return join(linear, networks, vocabulary.slots(), inputs);
}

function jobsApart(rows: readonly Row[], effort: Effort): Omit<LinearJob, "kind">[] {
  return Array.from({ length: folds }, (_, fold) =>
    jobOf(
      rows.filter((row) => foldOf(row) !== fold),
      0,
      effort,
    ),
  );
}

/** The windows of each fold that the linear model without it leaves open. */
function openWindows(
  rows: readonly Row[],
  linearApart: readonly LinearModel[],
): Promise<TrainingAnswers["windows"][]> {
  return collectAll(
    linearApart.map(({ weights, biases }, fold) => ({
      rows: rows.filter((row) => foldOf(row) === fold),
      linear: { weights, biases },
      seed: trainingDefaults.seed + 100 + fold,
    })),
  );
}

function setsOf(
  windows: readonly TrainingAnswers["windows"][],
  vocabulary: Vocabulary,
): NetworkWindows[] {
  return windows.map((columns) => ({ ...columns, rows: vocabulary.rowsOf(columns) }));
}

/** All sets but one, for each. */
function withoutEach(sets: readonly NetworkWindows[]): NetworkWindows[][] {
  return sets.map((_, fold) => sets.filter((_set, other) => other !== fold));
}

function trainNetworksOf(
  jobs: readonly (readonly NetworkWindows[])[],
  { concepts, conceptOf, vectors, learnedFrom }: Vocabulary,
): Promise<TrainingAnswers["network"][]> {
  const words = { concepts, conceptOf, vectors, learnedFrom };
  const { seed } = trainingDefaults;
  return trainNetworks(jobs.map((sets) => ({ sets, words, seed })));
}

function join(
  linear: readonly LinearModel[],
  networks: readonly TrainingAnswers["network"][],
  slots: ReturnType<Vocabulary["slots"]>,
  inputs: string,
): InjectionModel[] {
  return networks.flatMap((network, fold) => {
    const own = linear[fold];
    return own === undefined ? [] : [modelOf(own, { ...slots, ...network }, inputs)];
  });
}

/** Until there is a second stage: it says 0 of every text. */
const noHarness: ModelHeader["harness"] = {
  fingerprint: "",
  texts: "",
  bias: 0,
  weights: Array.from({ length: harnessInputs }, () => 0),
  calibration: { raw: [0, 1], score: [0, 1] },
  tool: { raw: [0, 1], score: [0, 1] },
};

/** A model file's content, not yet calibrated. */
function modelOf(
  linear: LinearModel,
  network: InjectionModel["network"] & TrainingAnswers["network"],
  inputs: string,
): InjectionModel {
  const { weights, scale } = quantized(linear);
  const head = (segment: Segment): Head => ({
    bias: linear.biases[headOf(segment)] ?? 0,
    scale,
    weighing: weighings[segment],
    band: { ...band, share: networkShares[segment] },
    calibration: { raw: [0, 1], score: [0, 1] },
  });
  const header: ModelHeader = {
    version: "",
    inputs,
    features: featuresFingerprint(),
    user: head("user"),
    tool: head("tool"),
    harness: noHarness,
    network: network.header,
  };
  const { keys, rows, table } = network;
  return { header, weights, network: { keys, rows, table } };
}

/** With scores, and the version that all of it has. */
function withCalibration(
  { header, weights, network }: InjectionModel,
  heldOut: readonly HeldOut[],
): InjectionModel {
  const calibrationOf = (segment: Segment): Calibration => {
    const texts = heldOut.filter(({ row }) => row.segment === segment);
    const own = texts.filter(({ row }) => isOwn(row)).length;
    const share = ownShare[segment];
    const weightOf = (row: Row) => (isOwn(row) ? share / own : (1 - share) / (texts.length - own));
    return calibrate(texts.map(({ row, raw }) => ({ raw, weight: weightOf(row) })));
  };
  const user = { ...header.user, calibration: calibrationOf("user") };
  const tool = { ...header.tool, calibration: calibrationOf("tool") };
  return versioned({ header: { ...header, user, tool }, weights, network });
}

/** The model with the version that all of it has. */
export function versioned({ header, weights, network }: InjectionModel): InjectionModel {
  const { inputs, features, user, tool, harness, network: own } = header;
  const rest = { inputs, features, user, tool, harness, network: own };
  const digest = createHash("sha256").update(JSON.stringify(rest)).update(weights);
  for (const part of [network.keys, network.rows, network.table]) digest.update(part);
  const version = `injection-${digest.digest("hex").slice(0, 12)}`;
  return { header: { version, ...rest }, weights, network };
}

export function isOwn({ source }: Row): boolean {
  return source.startsWith("own_");
}

function jobOf(rows: readonly Row[], model: number, { epochs }: Effort): Omit<LinearJob, "kind"> {
  return { rows, options: { ...trainingDefaults, epochs, seed: trainingDefaults.seed + model } };
}

/** What each honest text of a fold scores by the model that has not seen it. */
function scoreHeldOut(
  model: InjectionModel,
  fold: number,
  rows: readonly Row[],
  more: readonly Row[],
): HeldOut[] {
  const detector = new ModelDetector(model);
  const honest = rows.filter(({ label, group }) => label === 0 && group === undefined);
  return [...honest, ...more]
    .filter((row) => foldOf(row) === fold)
    .map((row) => ({ row, raw: logOddsOf(detector, row) }));
}

/** Log-odds of a text of any length: its worst piece's. */
export function logOddsOf(detector: ModelDetector, { text, segment }: Row): number {
  return Math.max(...cut(Buffer.from(text)).map((utf8) => detector.worst(utf8, segment).raw));
}

/** By the text, or what it is part of: an operator's traffic is of the kinds that training saw. */
export function foldOf({ text, group }: Row): number {
  return (
    createHash("sha256")
      .update(group ?? text)
      .digest()
      .readUInt8(1) % folds
  );
}
