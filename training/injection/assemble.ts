import { createHash } from "node:crypto";
import type { Segment } from "../../src/contract/scan.ts";
import { featuresFingerprint } from "../../src/detectors/injection/fingerprint.ts";
import type { InjectionModel } from "../../src/detectors/injection/model-file.ts";
import { Reader } from "../../src/detectors/injection/reader.ts";
import { calibrate } from "./calibration.ts";
import { headOf, quantized, type Learner } from "./learner.ts";
import type { Row } from "./rows.ts";
import { cut, train, trainingDefaults } from "./trainer.ts";

/** Rows are dealt to so many folds; each fold's honest texts are scored by a model without them. */
const folds = 4;

/** Trains a model, calibrates it on texts that it did not see, and puts both together. */
export function assemble(rows: readonly Row[], inputs: string): InjectionModel {
  const honest = heldOutScores(rows);
  const learner = train(rows, trainingDefaults);
  const { weights, scale } = quantized(learner);
  const header = {
    inputs,
    features: featuresFingerprint(),
    user: headOfModel("user"),
    tool: headOfModel("tool"),
  };
  const digest = createHash("sha256").update(JSON.stringify(header)).update(weights).digest("hex");
  return { header: { version: `linear-${digest.slice(0, 12)}`, ...header }, weights };

  function headOfModel(segment: Segment): InjectionModel["header"]["user"] {
    const bias = learner.biases[headOf(segment)] ?? 0;
    return { bias, scale, calibration: calibrate(honest[segment]) };
  }
}

/** Scores of honest pieces of text by models that did not see them. */
function heldOutScores(rows: readonly Row[]): Readonly<Record<Segment, number[]>> {
  const found: Record<Segment, number[]> = { user: [], tool: [] };
  const reader = new Reader();
  for (let fold = 0; fold < folds; fold++) {
    const learner = train(
      rows.filter((row) => foldOf(row) !== fold),
      trainingDefaults,
    );
    for (const row of rows) {
      if (row.label === 1 || foldOf(row) !== fold) continue;
      found[row.segment].push(worst(learner, reader, row));
    }
  }
  return found;
}

function worst(learner: Learner, reader: Reader, { text, segment }: Row): number {
  let highest = -Infinity;
  for (const utf8 of cut(Buffer.from(text))) {
    for (const { raw } of learner.windows(reader.read(utf8), segment)) {
      if (raw > highest) highest = raw;
    }
  }
  return highest;
}

/** By the text: an operator's honest traffic is of the kinds that training saw, not of its sources. */
function foldOf({ text }: Row): number {
  return createHash("sha256").update(text).digest().readUInt8(1) % folds;
}
