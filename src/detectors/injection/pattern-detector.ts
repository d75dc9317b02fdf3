import { createHash } from "node:crypto";
import { injectionKeywordMemoryBytesMax } from "../../contract/limits.ts";
import type { Segment } from "../../contract/scan.ts";
import { injectionPatterns } from "./catalog.ts";
import type { InjectionDetector } from "./detector.ts";
import { normalize } from "./normalize.ts";
import { PatternSet, type KeyedPattern } from "./pattern-set.ts";
import type { InjectionPattern } from "./pattern.ts";

/** Patterns this near to each other speak of the same attempt. */
const windowBytes = 1024;
const windowOverlapBytes = 256;

/** Scores text by the patterns it matches; several near to each other are surer than one. */
export class PatternDetector implements InjectionDetector {
  readonly version: string;
  readonly #patterns: readonly InjectionPattern[];
  readonly #set: PatternSet;

  constructor(patterns: readonly InjectionPattern[] = injectionPatterns) {
    this.#patterns = patterns;
    this.#set = new PatternSet(patterns.map(normalized), injectionKeywordMemoryBytesMax);
    this.version = `patterns-${fingerprint(patterns)}`;
  }

  score(utf8: Buffer, segment: Segment): number {
    const text = normalize(utf8);
    const found = this.#set.search(text);
    if (found.length < 2 || text.length <= windowBytes) return this.#combined(found, segment);

    let score = Math.max(...found.map((index) => this.#scoreOf(index, segment)));
    const stride = windowBytes - windowOverlapBytes;
    for (let at = 0; at < text.length - windowOverlapBytes; at += stride) {
      const near = this.#set.search(text.subarray(at, at + windowBytes));
      score = Math.max(score, this.#combined(near, segment));
    }
    return score;
  }

  /** The chance that at least one of the patterns is right, taken as independent. */
  #combined(found: readonly number[], segment: Segment): number {
    const allWrong = found.reduce(
      (chance, index) => chance * (1 - this.#scoreOf(index, segment)),
      1,
    );
    return 1 - allWrong;
  }

  #scoreOf(index: number, segment: Segment): number {
    return this.#patterns[index]?.score[segment] ?? Number.NaN;
  }
}

/** Patterns must be written like the text that they see. */
function normalized({ keywords, pattern }: InjectionPattern): KeyedPattern {
  return {
    keywords: keywords.map((keyword) => keyword.normalize("NFKC")),
    pattern: pattern.normalize("NFKC"),
  };
}

function fingerprint(patterns: readonly InjectionPattern[]): string {
  const scored = patterns.map(({ id, keywords, pattern, score }) => [
    id,
    keywords,
    pattern,
    score.user,
    score.tool,
  ]);
  return createHash("sha256").update(JSON.stringify(scored)).digest("hex").slice(0, 12);
}
