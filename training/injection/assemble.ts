import { createHash } from "node:crypto";
import type { Segment } from "../../src/contract/scan.ts";
import type { Weighing } from "../../src/detectors/injection/evidence.ts";
import { featuresFingerprint } from "../../src/detectors/injection/fingerprint.ts";
import type {
  Head,
  InjectionModel,
  ModelHeader,
} from "../../src/detectors/injection/model-file.ts";
import { Reader } from "../../src/detectors/injection/reader.ts";
import { calibrate } from "./calibration.ts";
import { headOf, meanOf, quantized, type LinearModel } from "./linear-model.ts";
import type { Row } from "./rows.ts";
import { cut, trainingDefaults } from "./trainer.ts";
import { trainAll, type TrainingJob } from "./training-pool.ts";

/** Rows are dealt to so many folds; each fold's honest texts are scored by a model without them. */
const folds = 3;
/** Models that are trained apart and averaged: one is a matter of chance (docs/decisions/0017). */
const models = 4;
/**
 * A tool's long texts pay for their length, so that honest documents pass alike whatever theirs is.
 * Users' long texts are suspicious throughout or not at all.
 */
const weighings: Readonly<Record<Segment, Weighing>> = {
  user: { meanWeight: 0.35, lengthSlope: 0, windowsFree: 1 },
  tool: { meanWeight: 0, lengthSlope: 1.2, windowsFree: 8 },
};

/**
 * What an honest text of our own counts for calibration: most were written to look like attacks.
 * Users do write such texts, as public sets of them show; what tools say is seldom so odd.
 */
const ownWeight: Readonly<Record<Segment, number>> = { user: 0.7, tool: 0.5 };

/** What an honest text scored with models that did not see it. */
export interface HeldOut {
  readonly row: Row;
  /** Log-odds. */
  readonly raw: number;
}

export interface Assembled {
  readonly model: InjectionModel;
  readonly heldOut: readonly HeldOut[];
}

/**
 * Trains a model on `rows`, calibrates it on honest texts that it did not see, `more` among them, and
 * puts both together.
 */
export async function assemble(
  rows: readonly Row[],
  more: readonly Row[],
  inputs: string,
): Promise<Assembled> {
  const jobs = [
    ...Array.from({ length: models }, (_, model) => jobOf(rows, model)),
    ...Array.from({ length: folds }, (_, fold) =>
      jobOf(
        rows.filter((row) => foldOf(row) !== fold),
        0,
      ),
    ),
  ];
  const trained = await trainAll(jobs);
  const mean = meanOf(trained.slice(0, models));
  const heldOut = scoreHeldOut(trained.slice(models), rows, more);
  const { weights, scale } = quantized(mean);
  const header: Omit<ModelHeader, "version"> = {
    inputs,
    features: featuresFingerprint(),
    user: headOfModel("user"),
    tool: headOfModel("tool"),
  };
  const digest = createHash("sha256").update(JSON.stringify(header)).update(weights).digest("hex");
  return {
    model: { header: { version: `injection-${digest.slice(0, 12)}`, ...header }, weights },
    heldOut,
  };

  function headOfModel(segment: Segment): Head {
    const own = heldOut.filter(({ row }) => row.segment === segment);
    const calibration = calibrate(
      own.map(({ row, raw }) => ({ raw, weight: isOwn(row) ? ownWeight[segment] : 1 })),
    );
    return {
      bias: mean.biases[headOf(segment)] ?? 0,
      scale,
      weighing: weighings[segment],
      calibration,
    };
  }
}

function isOwn({ source }: Row): boolean {
  return source.startsWith("own_");
}

function jobOf(rows: readonly Row[], model: number): TrainingJob {
  return { rows, options: { ...trainingDefaults, seed: trainingDefaults.seed + model } };
}

/** What each honest text scores by the model of its fold, which has not seen it. */
function scoreHeldOut(
  trained: readonly LinearModel[],
  rows: readonly Row[],
  more: readonly Row[],
): HeldOut[] {
  const reader = new Reader();
  const honest = [
    ...rows.filter(({ label, group }) => label === 0 && group === undefined),
    ...more,
  ];
  return trained.flatMap((model, fold) =>
    honest
      .filter((row) => foldOf(row) === fold)
      .map((row) => ({ row, raw: worst(model, reader, row) })),
  );
}

function worst(model: LinearModel, reader: Reader, { text, segment }: Row): number {
  let highest = -Infinity;
  for (const utf8 of cut(Buffer.from(text))) {
    const features = reader.read(utf8);
    const raw = model.logOdds(features, segment, weighings[segment]);
    if (raw > highest) highest = raw;
  }
  return highest;
}

/** By the text, or what it is part of: an operator's traffic is of the kinds that training saw. */
function foldOf({ text, group }: Row): number {
  return (
    createHash("sha256")
      .update(group ?? text)
      .digest()
      .readUInt8(1) % folds
  );
}
