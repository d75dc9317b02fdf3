import type { EntityCategory } from "../contract/scan.ts";

export type { EntityCategory };

/**
 * One kind of entity: one file that holds all that is known of it. Pure data and pure functions;
 * the engine (entity-engine.ts) searches, validates, weighs the context and settles overlaps.
 */
export interface EntityDetector {
  /** Kebab case, the file's name. */
  readonly id: string;
  /** Presidio's name where it has one: `EMAIL_ADDRESS`. */
  readonly entityType: string;
  /** The short noun that redaction prints between angle brackets: `EMAIL`. */
  readonly label: string;
  readonly category: EntityCategory;
  /** One sentence for the catalog. */
  readonly description: string;
  /**
   * In lower case; only text within 128 bytes of one of them, whatever its case, is searched
   * (`entityKeywordReachBytes`). Empty where nothing so cheap is known.
   */
  readonly keywords: readonly string[];
  /**
   * Where each match has one of the keywords, if it always has; then it is looked for nowhere else.
   * `start`: it begins with it, behind a `\b`. `run`: in it, with no ASCII space, tab or line break
   * before.
   */
  readonly keywordPlace?: KeywordPlace;
  /** RE2 syntax; `\b` and `\w` know ASCII only. No anchors, no unbounded repeats over any character. */
  readonly pattern: string;
  readonly caseInsensitive?: true;
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
  /** How sure a match is by its shape and checksum alone, 0 to 1. Below 0.5 it needs its context. */
  readonly score: number;
  /** False drops a match, a number is its score instead; checksums, issuer rules, placeholders. */
  readonly validate?: (value: string) => boolean | number;
  /** Words near the value that tell what it is; each in lower case, matched as whole words. */
  readonly context?: {
    readonly words: readonly string[];
    /** The score where one of the words stands nearby. */
    readonly score: number;
  };
  /** Words nearby that tell it is something else: `order`, `sku`. A match beside one is dropped. */
  readonly otherwise?: readonly string[];
  /** Texts and the value that is found in each; invented, never a real person's or a live secret. */
  readonly positives: readonly (readonly [text: string, value: string])[];
  /** Texts in which nothing is found. */
  readonly negatives: readonly string[];
}

export type KeywordPlace = "start" | "run";

/** The score at which a match becomes a finding unless the caller sets `entity_score_threshold`. */
export const entityScoreThresholdDefault = 0.5;

/** A finding in one text; offsets in UTF-16 code units, `end` exclusive. */
export interface EntityMatch {
  readonly detector: Pick<EntityDetector, "entityType" | "label" | "category">;
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly score: number;
}
