import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Reader } from "../../../src/detectors/injection/reader.ts";
import type { Features } from "../../../src/detectors/injection/features.ts";
import { Random } from "../../../training/names/random.ts";
import {
  WordNetwork,
  filterWords,
  filters,
  rowBytes,
  slotOf,
  wordSlots,
  type Network,
} from "../../../src/detectors/injection/word-network.ts";

const reader = new Reader();
const concepts = 2;
const words = ["bread", "salt", "water", "river", "stone"];

function read(text: string): Features {
  return reader.read(Buffer.from(text));
}

/** A network whose table has a row for nothing, two concepts and the words above, by chance. */
function networkOf(seed: number): Network {
  const random = new Random(seed);
  const step = (): number => random.between(-127, 127);
  const keys = new Int32Array(wordSlots);
  const rows = new Uint16Array(wordSlots);
  for (const [index, word] of words.entries()) {
    const hash = read(word).words[0] ?? 0;
    const slot = slotOf(hash);
    keys[slot] = hash;
    rows[slot] = 1 + concepts + index;
  }
  const size = 1 + concepts + words.length;
  const table = Int8Array.from({ length: size * rowBytes }, (_, at) =>
    at < rowBytes ? 0 : step(),
  );
  const numbers = (count: number): number[] => Array.from({ length: count }, step);
  const head = (): { bias: number; weights: number[] } => ({
    bias: random.next(),
    weights: numbers(filters).map((value) => value / 100),
  });
  const header = { rows: size, concepts, biases: numbers(filters), starts: numbers(rowBytes) };
  return { header: { ...header, user: head(), tool: head() }, keys, rows, table };
}

interface Word {
  readonly row: number;
  readonly isStart: boolean;
}

/** The same in the plainest way. */
function plainly({ header, table }: Network, sentence: readonly Word[]): number {
  let sum = header.user.bias;
  for (let filter = 0; filter < filters; filter++) {
    const values = sentence.map((_, at) => {
      let value = header.biases[filter] ?? 0;
      for (let place = 0; place < filterWords; place++) {
        const word = sentence[at + place - 1];
        if (word === undefined) continue;
        const column = place * filters + filter;
        value += table[word.row * rowBytes + column] ?? 0;
        if (word.isStart) value += header.starts[column] ?? 0;
      }
      return value;
    });
    sum += Math.max(0, ...values) * (header.user.weights[filter] ?? 0);
  }
  return sum;
}

describe("WordNetwork", () => {
  it("is what a convolution with the filters' greatest values gives", () => {
    const sentences = fc.array(fc.constantFrom("unheard", "bread.", "stone.", ...words), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(sentences, fc.integer(), (sentence, seed) => {
        const network = networkOf(seed);
        const expected = sentence.map((word, at) => ({
          row: rowOf(word.replace(".", "")),
          isStart: at === 0 || sentence[at - 1]?.endsWith(".") === true,
        }));
        const found = new WordNetwork(network).logOdds(read(sentence.join(" ")), 0, "user");
        expect(found).toBeCloseTo(plainly(network, expected), 6);
      }),
    );
  });

  it("reads a window's two blocks, and no others", () => {
    const network = new WordNetwork(networkOf(1));
    const blocks = ["bread salt ", "water stone ", "river salt "].map((pair) => pair.repeat(10));
    const said = (changed: number): number => {
      const text = blocks.map((block, at) => (at === changed ? "stone bread ".repeat(10) : block));
      return network.logOdds(read(text.join("")), 2, "tool");
    };
    expect(said(0)).toBe(said(-1));
    expect(said(1)).not.toBe(said(-1));
    expect(said(2)).not.toBe(said(-1));
  });

  it("does not read over the beginning of what is decoded", () => {
    const network = new WordNetwork(networkOf(2));
    const hidden = Buffer.from("water water stone river bread").toString("base64");
    const one = read(`salt salt ${hidden}`);
    expect(one.begins[1]).toBe(1);
    const first = network.logOdds(one, 1, "user");
    expect(network.logOdds(read(`river stone ${hidden}`), 1, "user")).toBe(first);
  });

  it.each([
    ["a concept that the table has", 1, 1],
    ["one that it does not have", concepts + 1, 0],
  ])("reads a word without a row as %s", (_name, concept, row) => {
    const network = networkOf(3);
    const features = read("unheard");
    features.wordConcepts[0] = concept;
    const expected = plainly(network, [{ row, isStart: true }]);
    expect(new WordNetwork(network).logOdds(features, 0, "user")).toBeCloseTo(expected, 6);
  });

  it("finds words whose slots are taken", () => {
    const network = networkOf(4);
    const hash = read("unheard").words[0] ?? 0;
    const slot = slotOf(hash);
    network.keys[slot] = hash ^ 1;
    network.keys[slot + 1] = hash;
    network.rows[slot + 1] = 3;
    const expected = plainly(network, [{ row: 3, isStart: true }]);
    expect(new WordNetwork(network).logOdds(read("unheard"), 0, "user")).toBeCloseTo(expected, 6);
  });

  it("remembers nothing of the window before", () => {
    const network = new WordNetwork(networkOf(5));
    const short = read("salt water").words.length;
    expect(short).toBeGreaterThan(0);
    const first = network.logOdds(read("salt water"), 0, "user");
    network.logOdds(read("bread stone river ".repeat(12)), 1, "user");
    expect(network.logOdds(read("salt water"), 0, "user")).toBe(first);
  });
});

function rowOf(word: string): number {
  const index = words.indexOf(word);
  return index < 0 ? 0 : 1 + concepts + index;
}
