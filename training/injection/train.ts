// Trains the prompt-injection model: `npm run train:injection -- --data FOLDER`.
//
// Writes src/detectors/injection/injection.bin from the rows of FOLDER that are marked `ship`, our own
// corpus in training/corpus and open word vectors; the same inputs give the same bytes. --all trains
// with the other rows too, to say what they would have added, and writes elsewhere: --out FILE.
// --cross-validate writes nothing: it says how well sources do that training did not see.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { writeModel } from "../../src/detectors/injection/model-file.ts";
import { assemble } from "./assemble.ts";
import { hashOfInputs, readCorpus, readData, readSessions, rowsOfSessions } from "./rows.ts";
import { crossValidate } from "./cross-validation.ts";
import { withoutDuplicates } from "./duplicates.ts";
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
  const { model, heldOut } = await assemble(rows, leaves, inputs, vectors);
  const target =
    options.out ?? new URL("../../src/detectors/injection/injection.bin", import.meta.url);
  writeFileSync(target, writeModel(model));
  console.log(`${model.header.version}: inputs ${model.header.inputs}`);
  reportHeldOut(model, heldOut);
}
