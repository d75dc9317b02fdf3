import { entityTimeMsMax } from "../../contract/limits.ts";
import { entityDetectors } from "../../detectors/catalog.ts";
import { EntityEngine } from "../../detectors/entity-engine.ts";
import {
  entityScoreThresholdDefault,
  type EntityCategory,
  type EntityMatch,
} from "../../detectors/entity.ts";
import { loadNameFinder, type NameFinder } from "../../detectors/names/name-finder.ts";
import { withoutOverlaps } from "../../detectors/overlap.ts";

export interface EntityScanOptions {
  readonly entities: readonly EntityCategory[];
  readonly entityScoreThreshold: number | null;
}

/**
 * Begins entity scans that share one engine and one name finder. Both are made at the first scan: a
 * gateway that only forwards never needs them.
 */
export function entityScans(): (options: EntityScanOptions) => EntityScan {
  let detectors: { readonly engine: EntityEngine; readonly names: NameFinder | null } | null = null;
  return (options) => {
    detectors ??= { engine: new EntityEngine(entityDetectors), names: nameFinderIfThere() };
    return new EntityScan(detectors.engine, detectors.names, options);
  };
}

/**
 * The name finder, or null without its model. The other detectors then still work, and the response
 * says `degraded`.
 */
function nameFinderIfThere(): NameFinder | null {
  try {
    return loadNameFinder();
  } catch {
    return null;
  }
}

/** Searches the entities of one scan's texts until the scan's time for them is over. */
export class EntityScan {
  readonly #engine: EntityEngine;
  readonly #names: NameFinder | null;
  readonly #categories: ReadonlySet<EntityCategory>;
  readonly #threshold: number | null;
  readonly #deadlineMs = performance.now() + entityTimeMsMax;
  #degraded = false;

  /** `names` null: names can't be found, which degrades every scan for personal data. */
  constructor(engine: EntityEngine, names: NameFinder | null, options: EntityScanOptions) {
    this.#engine = engine;
    this.#names = names;
    this.#categories = new Set(options.entities);
    this.#threshold = options.entityScoreThreshold;
  }

  /**
   * True if a part of the entity scan did not run, or did not complete (spec: Scan response,
   * `entities`).
   */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** The matches, sorted by `start`, without overlaps. */
  matches(text: string): readonly EntityMatch[] {
    const { matches: patterns, complete } = this.#engine.scanUntil(
      text,
      { categories: this.#categories, threshold: this.#threshold },
      this.#deadlineMs,
    );
    if (!complete) this.#degraded = true;
    if (!this.#categories.has("pii")) return patterns;
    return withoutOverlaps([...patterns, ...this.#nameMatches(text)]);
  }

  #nameMatches(text: string): readonly EntityMatch[] {
    if (this.#names === null || performance.now() >= this.#deadlineMs) {
      this.#degraded = true;
      return [];
    }
    const { matches, complete } = this.#names.find(text, this.#deadlineMs);
    if (!complete) this.#degraded = true;
    const scoreMin = this.#threshold ?? entityScoreThresholdDefault;
    return matches.filter(({ score }) => score >= scoreMin);
  }
}
