// Trains the prompt-injection model: `npm run train:injection -- --data FOLDER`.
//
// Writes src/detectors/injection/injection.bin from the rows of FOLDER that are marked `ship`, our own
// corpus in training/corpus and open word vectors; the same inputs give the same bytes. --all trains
// with the other rows too, to say what they would have added, and writes elsewhere: --out FILE.
// --harness trains nothing but the second stage for what coding agents bring along, and the models without
// a third of the rows each that it needs; it puts it into the file, which must be of the same inputs.
// --apart FOLDER keeps these models there, or takes them from there.
// --cross-validate writes nothing: it says how well sources do that training did not see.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadModelFile } from "../../src/detectors/injection/load-model.ts";
import {
  readModel,
  writeModel,
  type InjectionModel,
} from "../../src/detectors/injection/model-file.ts";
import { assemble, trainApart } from "./assemble.ts";
import { hashOfInputs, readCorpus, readData, readSessions, rowsOfSessions } from "./rows.ts";
import { crossValidate } from "./cross-validation.ts";
import { withoutDuplicates } from "./duplicates.ts";
import { readHarness, withHarness } from "./harness.ts";
import { reportHeldOut } from "./held-out.ts";
import { readWordVectors } from "./word-vectors.ts";

/** Texts of sessions that are so alike count once. */
const leafSimilarityMin = 0.5;
/** A session repeats itself, and thousands of tools' short texts would outweigh the documents. */
const toolLeafWeight = 0.3;

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string" },
    all: { type: "boolean", default: false },
    harness: { type: "boolean", default: false },
    apart: { type: "string" },
    "cross-validate": { type: "boolean", default: false },
  },
});
if (options.data === undefined) throw new Error("name the folder of the data: --data FOLDER");
if (options.all && options.out === undefined) throw new Error("--all needs --out FILE");

const data = readData(options.data).filter(({ ship }) => ship || options.all);
const sessions = readSessions();
const leaves = rowsOfSessions(sessions);
const rows = [
  ...withoutDuplicates([...data, ...readCorpus()]),
  ...withoutDuplicates(leaves, leafSimilarityMin).map((leaf) => ({
    ...leaf,
    weight: leaf.segment === "tool" ? toolLeafWeight : 1,
  })),
];
const attacks = rows.filter(({ label }) => label === 1).length;
console.log(`${rows.length} rows, ${attacks} attacks, ${sessions.length} sessions`);
const vectors = readWordVectors();
if (options["cross-validate"]) await crossValidate(rows, vectors);
else await write();

async function write(): Promise<void> {
  const inputs = hashOfInputs([...rows, ...leaves], vectors);
  const target =
    options.out ?? new URL("../../src/detectors/injection/injection.bin", import.meta.url);
  if (options.harness) {
    const model = readModel(loadModelFile());
    if (model.header.inputs !== inputs) throw new Error("the model was trained with other inputs");
    const apart = await modelsApart(inputs);
    return save(target, withHarness(model, apart, rows, readHarness()));
  }
  const { model, apart, heldOut } = await assemble(rows, leaves, inputs, vectors);
  const complete = withHarness(model, apart, rows, readHarness());
  save(target, complete);
  reportHeldOut(complete, heldOut);
}

function save(target: string | URL, model: InjectionModel): void {
  writeFileSync(target, writeModel(model));
  console.log(`${model.header.version}: inputs ${model.header.inputs}`);
}

/** Trained, or as an earlier run left them in the folder. */
async function modelsApart(inputs: string): Promise<readonly InjectionModel[]> {
  const folder = options.apart;
  const files = [0, 1, 2].map((fold) => join(folder ?? "", `apart-${fold}.bin`));
  if (folder !== undefined && files.every((file) => existsSync(file))) {
    const models = files.map((file) => readModel(loadModelFile(file)));
    if (models.some(({ header }) => header.inputs !== inputs)) {
      throw new Error("the models of that folder were trained with other inputs");
    }
    return models;
  }
  const models = await trainApart(rows, inputs, vectors);
  if (folder !== undefined) {
    for (const [fold, model] of models.entries())
      writeFileSync(files[fold] ?? "", writeModel(model));
  }
  return models;
}
