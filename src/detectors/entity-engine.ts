import RE2 from "re2";
import { ContextWords } from "./context-words.ts";
import {
  entityScoreThresholdDefault,
  type EntityCategory,
  type EntityDetector,
  type EntityMatch,
} from "./entity.ts";
import { isNoise } from "./noise.ts";
import { withoutOverlaps } from "./overlap.ts";
import { Utf16Offsets } from "./utf16-offsets.ts";

export interface EntityScanOptions {
  /** Findings of other categories are not looked for. */
  readonly categories: ReadonlySet<EntityCategory>;
  /** 0 to 1; null: `entityScoreThresholdDefault`. */
  readonly threshold: number | null;
}

interface Prepared {
  readonly detector: EntityDetector;
  readonly regex: RE2;
  readonly context: ContextWords;
}

/** Finds entities in text with a fixed list of detectors. Not reentrant, as RE2 objects are not. */
export class EntityEngine {
  readonly #prepared: readonly Prepared[];

  /** Throws on a pattern that RE2 refuses. */
  constructor(detectors: readonly EntityDetector[]) {
    this.#prepared = detectors.map((detector) => ({
      detector,
      regex: new RE2(detector.pattern, detector.caseInsensitive ? "giud" : "gud"),
      context: new ContextWords(detector),
    }));
  }

  /** The findings by `start`, none overlapping another; offsets in UTF-16 code units of `text`. */
  scan(text: string, { categories, threshold }: EntityScanOptions): readonly EntityMatch[] {
    const utf8 = Buffer.from(text);
    const offsets = new Utf16Offsets(text, utf8);
    const lowerCase = text.toLowerCase();
    const scoreMin = threshold ?? entityScoreThresholdDefault;
    const matches: EntityMatch[] = [];
    for (const { detector, regex, context } of this.#prepared) {
      if (!categories.has(detector.category)) continue;
      const { keywords } = detector;
      if (keywords.length > 0 && !keywords.some((word) => lowerCase.includes(word))) continue;
      regex.lastIndex = 0;
      for (let found = regex.exec(utf8); found; found = regex.exec(utf8)) {
        const span = found.indices?.[detector.group ?? 0];
        if (found[0].length === 0) regex.lastIndex += 1;
        if (!span || span[0] === span[1]) continue;
        const start = offsets.at(span[0]);
        const end = offsets.at(span[1]);
        const score = scoreOf(detector, context, text, start, end);
        if (score >= scoreMin) matches.push({ detector, start, end, score });
      }
    }
    return withoutOverlaps(matches);
  }
}

/** 0 for a match that is none. */
function scoreOf(
  detector: EntityDetector,
  context: ContextWords,
  text: string,
  start: number,
  end: number,
): number {
  const verdict = detector.validate?.(text.slice(start, end)) ?? true;
  if (verdict === false || isNoise(detector.category, text, start, end)) return 0;
  return context.weigh(verdict === true ? detector.score : verdict, text, start, end);
}
