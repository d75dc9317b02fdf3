import { createHash } from "node:crypto";
import type { Segment } from "../../src/contract/scan.ts";
import { featuresFingerprint } from "../../src/detectors/injection/fingerprint.ts";
import type {
  Head,
  InjectionModel,
  ModelHeader,
} from "../../src/detectors/injection/model-file.ts";
import { lengthCost } from "../../src/detectors/injection/model-detector.ts";
import { Reader } from "../../src/detectors/injection/reader.ts";
import { calibrate } from "./calibration.ts";
import { headOf, quantized, type Learner } from "./learner.ts";
import type { Row } from "./rows.ts";
import { cut, train, trainingDefaults } from "./trainer.ts";

/** Rows are dealt to so many folds; each fold's honest texts are scored by a model without them. */
const folds = 3;
/**
 * What an e-fold of length costs: honest documents then pass alike whatever their length. Users' long
 * texts are no more suspicious than their short ones.
 */
const lengthSlopes: Readonly<Record<Segment, number>> = { user: 0, tool: 0.7 };
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
export function assemble(rows: readonly Row[], more: readonly Row[], inputs: string): Assembled {
  const heldOut = scoreHeldOut(rows, more);
  const learner = train(rows, trainingDefaults);
  const { weights, scale } = quantized(learner);
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
    const calibration = calibrate(own.map(({ raw }) => raw));
    return {
      bias: learner.biases[headOf(segment)] ?? 0,
      scale,
      lengthSlope: lengthSlopes[segment],
      calibration,
    };
  }
}

function scoreHeldOut(rows: readonly Row[], more: readonly Row[]): HeldOut[] {
  const reader = new Reader();
  const honest = [
    ...rows.filter(({ label, group }) => label === 0 && group === undefined),
    ...more,
  ];
  return Array.from({ length: folds }, (_, fold) => {
    const learner = train(
      rows.filter((row) => foldOf(row) !== fold),
      trainingDefaults,
    );
    return honest
      .filter((row) => foldOf(row) === fold)
      .map((row) => ({ row, raw: worst(learner, reader, row) }));
  }).flat();
}

function worst(learner: Learner, reader: Reader, { text, segment }: Row): number {
  let highest = -Infinity;
  for (const utf8 of cut(Buffer.from(text))) {
    const features = reader.read(utf8);
    const cost = lengthSlopes[segment] * lengthCost(features.blocks);
    for (const { raw } of learner.windows(features, segment)) {
      if (raw - cost > highest) highest = raw - cost;
    }
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
