import { withAsciiLookalikes } from "./ascii-lookalikes.ts";
import { ContextWords } from "./context-words.ts";
import {
  entityScoreThresholdDefault,
  type EntityCategory,
  type EntityDetector,
  type EntityMatch,
} from "./entity.ts";
import { isNoise } from "./noise.ts";
import { withoutOverlaps } from "./overlap.ts";
import { PatternSearch } from "./search/pattern-search.ts";
import { PlannedPattern } from "./search/planned-pattern.ts";
import { SearchPlan } from "./search/search-plan.ts";
import { Utf16Offsets } from "./search/utf16-offsets.ts";
import { withEscapesRead } from "./spelled-escapes.ts";

export interface EntityEngineOptions {
  /** Entities of other categories are not looked for. */
  readonly categories: ReadonlySet<EntityCategory>;
  /** The lowest score of a finding, 0 to 1; null: `entityScoreThresholdDefault`. */
  readonly threshold: number | null;
}

export interface EntityFindings {
  readonly matches: readonly EntityMatch[];
  /** False if the time ran out. Then some detectors did not search the text. */
  readonly complete: boolean;
}

/** A detector ready to search. */
interface Prepared {
  readonly detector: EntityDetector;
  /** What findings say about the detector, as plain data that a worker can send. */
  readonly face: EntityMatch["detector"];
  readonly search: PatternSearch;
  readonly context: ContextWords;
}

/** Finds entities in text with a fixed list of detectors. Not reentrant, as RE2 objects are not. */
export class EntityEngine {
  readonly #prepared: ReadonlyMap<PlannedPattern, Prepared>;
  readonly #plan: SearchPlan;

  /**
   * Throws on a pattern that the search plan does not understand. If RE2 refuses a pattern, the first
   * scan throws.
   */
  constructor(detectors: readonly EntityDetector[]) {
    this.#prepared = new Map(detectors.map(prepared));
    this.#plan = new SearchPlan([...this.#prepared.keys()]);
  }

  /**
   * The findings, sorted by `start`, without overlaps. Offsets are in UTF-16 code units of `text`.
   */
  scan(text: string, options: EntityEngineOptions): readonly EntityMatch[] {
    return this.scanUntil(text, options, Infinity).matches;
  }

  /**
   * As `scan`, but no detector's search begins after the deadline. One search is linear in the
   * text. It takes some milliseconds per megabyte, or a third of a second if everything matches.
   * @param deadlineMs on the clock of `performance.now()` in this thread.
   */
  scanUntil(written: string, options: EntityEngineOptions, deadlineMs: number): EntityFindings {
    const { categories, threshold } = options;
    const { text, utf8 } = searchable(written);
    const offsets = new Utf16Offsets(text, utf8);
    const scoreMin = threshold ?? entityScoreThresholdDefault;
    for (const [planned, { detector }] of this.#prepared) {
      if (categories.has(detector.category)) planned.want(scoreMin);
      else planned.dontWant();
    }

    const matches: EntityMatch[] = [];
    let complete = true;
    for (const planned of this.#plan.look(utf8)) {
      const searched = this.#prepared.get(planned);
      if (!searched) continue;
      if (performance.now() > deadlineMs) {
        complete = false;
        planned.ranges.clear();
        continue;
      }
      planned.ranges.drain((from, to) =>
        searched.search.search(utf8, from, to, (valueFrom, valueTo) => {
          const start = offsets.at(valueFrom);
          const end = offsets.at(valueTo);
          const score = scoreOf(searched, text, start, end);
          if (score === 0 || score < scoreMin) return;
          matches.push({ detector: searched.face, start, end, score });
        }),
      );
    }
    return { matches: withoutOverlaps(matches), complete };
  }
}

/** The text as patterns read it. Each UTF-16 code unit keeps its offset. */
function searchable(written: string): { readonly text: string; readonly utf8: Buffer } {
  const read = withEscapesRead(written);
  const utf8 = Buffer.from(read);
  if (utf8.length === read.length) return { text: read, utf8 };
  const text = withAsciiLookalikes(read);
  return { text, utf8: text === read ? utf8 : Buffer.from(text) };
}

function prepared(detector: EntityDetector): [PlannedPattern, Prepared] {
  const { entityType, label, category } = detector;
  const planned = new PlannedPattern(detector);
  return [
    planned,
    {
      detector,
      face: { entityType, label, category },
      search: new PatternSearch(detector, planned),
      context: new ContextWords(detector),
    },
  ];
}

/** 0: not the entity. */
function scoreOf(
  { detector, context }: Prepared,
  text: string,
  start: number,
  end: number,
): number {
  const verdict = detector.validate?.(text.slice(start, end)) ?? true;
  if (verdict === false || isNoise(detector.category, text, start, end)) return 0;
  return context.weigh(verdict === true ? detector.score : verdict, text, start, end);
}
