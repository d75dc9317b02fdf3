import { injectionTextBytesMax } from "../../contract/limits.ts";
import { encodedRuns } from "./encoded-runs.ts";
import { Features, mark } from "./features.ts";
import { readLeet } from "./leet.ts";
import { NormalText } from "./normal-text.ts";
import { rotate } from "./rotation.ts";

/** Decoded text may contain encoded text again. This is the most levels that are decoded. */
const depthMax = 2;
/** The most runs that are decoded in one text. */
const runsMax = 64;

/**
 * Reads the features of a text: first those of the text itself, then those of every run in it that
 * decodes to text. All decoded text together is no longer than the text. One object reads one text
 * after the other.
 */
export class Reader {
  readonly features = new Features();
  readonly #text = new NormalText();
  #left = 0;
  #runs = 0;

  /** `utf8` has at most `injectionTextBytesMax` bytes. Throws a RangeError on more. */
  read(utf8: Buffer): Features {
    if (utf8.length > injectionTextBytesMax) throw new RangeError("text too long to be scored");
    const text = utf8.toString("utf8");
    this.#left = text.length;
    this.#runs = 0;
    this.features.begin();
    this.#text.read("");
    this.#add(text, -1, 0, []);
    return this.features;
  }

  #add(text: string, origin: number, depth: number, marks: readonly number[]): void {
    const normal = this.#text;
    const from = normal.length;
    const { hidden, escapes } = normal;
    normal.append(text, origin);
    if (normal.isMixed) readLeet(normal, from);
    const found = [...marks];
    if (normal.hidden > hidden) found.push(mark.hidden);
    if (normal.escapes > escapes + 3) found.push(mark.escapes);
    const rotated = this.features.add(normal, from, normal.length, found);
    if (depth === depthMax) return;
    if (normal.longestRun >= encodedRunMin) this.#addEncoded(text, origin, depth);
    if (rotated >= rotatedWordsMin) this.#addRotated(text, origin);
  }

  #addEncoded(text: string, origin: number, depth: number): void {
    for (const run of encodedRuns(text, this.#left)) {
      if (this.#runs++ >= runsMax) return;
      this.#left -= run.text.length;
      this.#add(run.text, origin < 0 ? run.at : origin, depth + 1, [mark.encoded]);
    }
  }

  #addRotated(text: string, origin: number): void {
    const rotated = rotate(text.slice(0, this.#left));
    this.#left -= rotated.length;
    this.#add(rotated, Math.max(origin, 0), depthMax, [mark.rotated]);
  }
}

/** The least length of a run of letters and digits that may be encoded text. */
const encodedRunMin = 16;
/** A text is rot13 if at least this many of its words are English in rot13. */
const rotatedWordsMin = 2;
