import { beforeAll, describe, expect, it } from "vitest";
import { Reader } from "../../../src/detectors/injection/reader.ts";
import { WordNetwork } from "../../../src/detectors/injection/word-network.ts";
import { trainNetwork } from "../../../training/injection/network-trainer.ts";
import { TrainingWindows } from "../../../training/injection/windows.ts";
import { Vocabulary } from "../../../training/injection/vocabulary.ts";
import { vectorLength, type WordVectors } from "../../../training/injection/word-vectors.ts";
import { Random } from "../../../training/names/random.ts";

const reader = new Reader();
const random = new Random(1);
const known = ["drop", "shelve", "order", "ruling", "apple", "pear", "train", "cloud"];
/** Each word is like the one behind it: training has the first of two only. */
const vectors: WordVectors = { hash: "", words: known.map((word, at) => wordOf(word, at >> 1)) };
const windows = new TrainingWindows();
let network: WordNetwork;

/** A word whose vector says what kind it is, with some noise. */
function wordOf(word: string, kind: number): WordVectors["words"][number] {
  const { words, wordConcepts } = reader.read(Buffer.from(word));
  const vector = Float32Array.from({ length: vectorLength }, (_, at) =>
    at % known.length === kind ? 3 : random.next() * 0.2,
  );
  return { hash: words[0] ?? 0, concept: wordConcepts[0] ?? 0, vector };
}

function add(text: string, label: 0 | 1): void {
  const features = reader.read(Buffer.from(text));
  const window = { block: 0, raw: 0, share: 1 };
  const example = { text, segment: "user", label, weight: 1, from: 0, to: text.length } as const;
  windows.add(features, window, "user", example);
}

function train(): ReturnType<typeof trainNetwork> {
  const vocabulary = new Vocabulary([windows], vectors);
  const sets = [{ ...columns(windows), rows: vocabulary.rowsOf(windows) }];
  return trainNetwork(sets, vocabulary, 7);
}

function columns(from: TrainingWindows): Omit<TrainingWindows, "add"> {
  const { count, hashes, concepts, starts, lengths, heads, labels, weights, raws } = from;
  return { count, hashes, concepts, starts, lengths, heads, labels, weights, raws };
}

function said(text: string): number {
  return network.logOdds(reader.read(Buffer.from(text)), 0, "user");
}

beforeAll(() => {
  // An attack is to drop what is an order; the same words in the other order are none.
  for (let round = 0; round < 1_500; round++) {
    const filler = random.pick(["apple", "train", "unheard", "apple train"]);
    add(`${filler} drop order ${filler}`, 1);
    add(`${filler} order drop ${filler}`, 0);
    add(`${filler} train drop ${filler}`, 0);
  }
  const { keys, rows } = new Vocabulary([windows], vectors).slots();
  network = new WordNetwork({ ...train(), keys, rows });
});

describe("trainNetwork", () => {
  it("learns what order words stand in", () => {
    expect(said("apple drop order apple")).toBeGreaterThan(1);
    expect(said("apple order drop apple")).toBeLessThan(-1);
    expect(said("apple train drop apple")).toBeLessThan(-1);
  });

  it("carries over to words with vectors like those of the words it saw", () => {
    expect(said("pear shelve ruling pear")).toBeGreaterThan(1);
    expect(said("pear ruling shelve pear")).toBeLessThan(0);
  });

  it("gives the same table each time", () => {
    expect(train()).toEqual(train());
  });
});
