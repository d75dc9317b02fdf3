// npm run train:names -- [--texts 120000] [--out file]: trains the name finder's model.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createHash } from "node:crypto";
import { labelsCount } from "../../src/detectors/names/labels.ts";
import { Lexicon, layOut } from "../../src/detectors/names/lexicon.ts";
import { writeModel } from "../../src/detectors/names/model-file.ts";
import { rowBytes, type TaggerWeights } from "../../src/detectors/names/tagger.ts";
import { Documents } from "./documents.ts";
import { Examples } from "./examples.ts";
import { Field } from "./field.ts";
import { LexiconEntries } from "./lexicon-entries.ts";
import { Random } from "./random.ts";
import { Texts } from "./texts.ts";

const { values: options } = parseArgs({
  options: {
    texts: { type: "string", default: "200000" },
    rate: { type: "string", default: "0.06" },
    rows: { type: "string", default: "17" },
    out: { type: "string", default: "src/detectors/names/names.bin" },
  },
});
const lexiconSlotsLog2 = 19;
const seed = 20_261_121;
/** Texts without names among the examples. */
const documentShare = 0.08;

const entries = LexiconEntries.fromSources().packed();
const lexiconSlots = layOut(entries, lexiconSlotsLog2);
console.log(`${entries.size} words and pairs`);
const random = new Random(seed);
const texts = new Texts(random);
const lexicon = new Lexicon(lexiconSlots);
const examples = new Examples(lexicon, random);
const documents = new Documents(lexicon, random);
const field = train(Number(options.texts));
const weights = pack(field, Number(options.rows));
const hash = createHash("sha256").update(weights.rows).update(lexiconSlots).digest();
const file = writeModel({ version: hash.readUInt32LE(0), lexiconSlots, weights });
writeFileSync(options.out, file);
console.log(`${options.out}: ${file.byteLength} bytes`);

function train(count: number): Field {
  const trained = new Field(Number(options.rate));
  let loss = 0;
  let tokens = 0;
  for (let done = 1; done <= count; done++) {
    const text = random.chance(documentShare) ? documents.next() : texts.next();
    for (const chain of examples.chains(text)) {
      loss += trained.step(chain);
      tokens += chain.labels.length;
    }
    if (done > count / 3 && done % 4_000 === 0) trained.note();
    if (done % 20_000 === 0) {
      console.log(
        `${done} texts, ${tokens} candidates, loss ${(loss / tokens).toFixed(4)} per candidate`,
      );
      loss = 0;
      tokens = 0;
    }
  }
  trained.settle();
  return trained;
}

/** Keeps the features that weigh most; a place in the table goes to the heavier of two. */
function pack(trained: Field, rowsLog2: number): TaggerWeights {
  const rows = new Int8Array(rowBytes << rowsLog2);
  const heaviest = new Float32Array(1 << rowsLog2);
  const spread = trained.seen.map(() => 0);
  const weightOf = Float32Array.from(spread);
  let largest = 0;
  for (let slot = 0; slot < trained.seen.length; slot++) {
    if ((trained.seen[slot] ?? 0) < 4) continue;
    const row = trained.weights.subarray(slot * labelsCount, (slot + 1) * labelsCount);
    weightOf[slot] = Math.max(...row) - Math.min(...row);
    for (const weight of row) largest = Math.max(largest, Math.abs(weight));
  }
  const scale = Math.min(largest, 3) / 127;
  let kept = 0;
  for (let slot = 0; slot < trained.seen.length; slot++) {
    const weight = weightOf[slot] ?? 0;
    if (weight < scale * 2) continue;
    const hash = trained.hashes[slot] ?? 0;
    const place = hash & ((1 << rowsLog2) - 1);
    if (weight <= (heaviest[place] ?? 0)) continue;
    if (heaviest[place] === 0) kept++;
    heaviest[place] = weight;
    rows[place * rowBytes] = hash >> 24;
    rows[place * rowBytes + 1] = (hash << 8) >> 24;
    for (let a = 0; a < labelsCount; a++) {
      const value = (trained.weights[slot * labelsCount + a] ?? 0) / scale;
      rows[place * rowBytes + 2 + a] = Math.max(-127, Math.min(127, Math.round(value)));
    }
  }
  console.log(`${kept} features kept, largest weight ${largest.toFixed(2)}`);
  return { rows, scale, links: trained.links, offsets: new Float32Array(labelsCount) };
}
