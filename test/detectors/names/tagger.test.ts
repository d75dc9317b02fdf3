import { expect, test } from "vitest";
import { NameFeatures } from "../../../src/detectors/names/features.ts";
import { labelsCount, link } from "../../../src/detectors/names/labels.ts";
import { Lexicon } from "../../../src/detectors/names/lexicon.ts";
import { Sentence } from "../../../src/detectors/names/sentence.ts";
import { linkWeightsCount, rowBytes, Tagger } from "../../../src/detectors/names/tagger.ts";
import { NameTokens } from "../../../src/detectors/names/tokens.ts";

const rowsCount = 256;
const tokens = new NameTokens();
const sentence = new Sentence(tokens, new Lexicon(new Uint16Array(8)));
const features = new NameFeatures(sentence);
const weights = {
  rows: new Int8Array(rowBytes * rowsCount),
  scale: 0.05,
  links: Float32Array.from({ length: linkWeightsCount }, (_, at) => ((at * 37) % 19) / 10 - 1),
  offsets: Float32Array.of(0.2, -0.1, 0.3, 0, -0.4),
};
const tagger = new Tagger(weights);

/** Gives every feature of the text a row of its own, unless another has its place. */
function learn(text: string): number[][] {
  tokens.read(text, 0, text.length);
  sentence.read();
  weights.rows.fill(0);
  const taken = new Map<number, number>();
  const described: number[][] = [];
  for (let i = 0; i < tokens.count; i++) {
    if (sentence.candidate[i] === 0) continue;
    features.describe(text, i);
    described.push([...features.hashes.subarray(0, features.count)]);
  }
  for (const hash of described.flat()) {
    const place = hash & (rowsCount - 1);
    if (taken.has(place)) continue;
    taken.set(place, hash);
    weights.rows.set([hash >> 24, (hash << 8) >> 24], place * rowBytes);
    const row = Array.from({ length: labelsCount }, (_, a) => ((hash >>> (a * 4)) % 41) - 20);
    weights.rows.set(row, place * rowBytes + 2);
  }
  return described;
}

function scoreOf(described: readonly number[], label: number): number {
  let sum = weights.offsets[label] ?? 0;
  for (const hash of described) {
    const row = (hash & (rowsCount - 1)) * rowBytes;
    const own = weights.rows[row] === hash >> 24 && weights.rows[row + 1] === (hash << 8) >> 24;
    if (own) sum += (weights.rows[row + 2 + label] ?? 0) * weights.scale;
  }
  return sum;
}

/** The probabilities by adding up every way to label the chain. */
function byEnumeration(described: readonly number[][], links: readonly number[]): number[][] {
  const sums = described.map(() => new Array<number>(labelsCount).fill(0));
  let total = 0;
  for (let code = 0; code < labelsCount ** described.length; code++) {
    const labels = described.map((_, at) => Math.floor(code / labelsCount ** at) % labelsCount);
    let score = 0;
    labels.forEach((label, at) => {
      score += scoreOf(described[at] ?? [], label);
      const pair = ((links[at] ?? 0) * labelsCount + (labels[at - 1] ?? 0)) * labelsCount + label;
      if (at > 0) score += weights.links[pair] ?? 0;
    });
    total += Math.exp(score);
    labels.forEach((label, at) => {
      const row = sums[at];
      if (row !== undefined) row[label] = (row[label] ?? 0) + Math.exp(score);
    });
  }
  return sums.map((row) => row.map((sum) => sum / total));
}

test.each([
  ["Anna", []],
  ["Anna-Maria Smith", [link.hyphen, link.next]],
  ["Smith & Sons, Oslo", [link.ampersand, link.comma]],
  ["J. Smith\nOslo", [link.dot, link.line]],
  ["O'Brien,\nOslo", [link.apostrophe, link.commaLine]],
])("the probabilities of the labels of %j are exact", (text, links) => {
  const described = learn(text);
  tagger.run(text, sentence, features);
  expect(tagger.count).toBe(described.length);
  expect([...tagger.link.subarray(1, tagger.count)]).toEqual(links);
  const expected = byEnumeration(described, [link.apart, ...links]);
  expected.forEach((row, at) => {
    row.forEach((probability, a) => {
      expect(tagger.probability[at * labelsCount + a]).toBeCloseTo(probability, 4);
    });
    expect(tagger.label[at]).toBe(row.indexOf(Math.max(...row)));
  });
});

test("a chain of any length has probabilities that add up to one", () => {
  const text = "Smith ".repeat(1_300);
  learn(text);
  tagger.run(text, sentence, features);
  expect(tagger.count).toBe(1_300);
  for (let at = 0; at < tagger.count; at++) {
    const row = tagger.probability.subarray(at * labelsCount, (at + 1) * labelsCount);
    expect(row.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 5);
  }
});
