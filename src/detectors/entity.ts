import type { EntityCategory } from "../contract/scan.ts";

export type { EntityCategory };

/**
 * One kind of entity. One file holds everything about it, as pure data and pure functions. The
 * engine (entity-engine.ts) searches, validates, weighs the context and resolves overlaps.
 */
export interface EntityDetector {
  /** Kebab case, the file's name. */
  readonly id: string;
  /** Presidio's name, if it has one: `EMAIL_ADDRESS`. */
  readonly entityType: string;
  /** The short noun that redaction prints between angle brackets: `EMAIL`. */
  readonly label: string;
  readonly category: EntityCategory;
  /** One sentence for the catalog. */
  readonly description: string;
  /**
   * In lower case. Only text within 128 bytes of a keyword, in upper or lower case, is searched
   * (`entityKeywordReachBytes`). Empty if no keyword is known.
   */
  readonly keywords: readonly string[];
  /**
   * Set if every match contains a keyword; it says where, and no other place is searched. `start`:
   * the match begins with the keyword, after a `\b`. `run`: the match contains the keyword, and no
   * ASCII space, tab or line break stands before the keyword in it.
   */
  readonly keywordPlace?: KeywordPlace;
  /** RE2 syntax; `\b` and `\w` know ASCII only. No anchors, no unbounded repeats over any character. */
  readonly pattern: string;
  readonly caseInsensitive?: true;
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
  /**
   * How certain a match is by its shape and checksum alone, 0 to 1. Below 0.5 the match needs its
   * context.
   */
  readonly score: number;
  /**
   * Checks a match by checksum, issuer rules or placeholders. False drops the match; a number
   * becomes its score.
   */
  readonly validate?: (value: string) => boolean | number;
  /** Words near the value that tell what it is; each in lower case, matched as whole words. */
  readonly context?: {
    readonly words: readonly string[];
    /** The score if one of the words stands nearby. */
    readonly score: number;
  };
  /**
   * Words that tell that the value is something else: `order`, `sku`. A match beside such a word is
   * dropped.
   */
  readonly otherwise?: readonly string[];
  /**
   * Texts, each with the value that is found in it. The values are invented, never those of a real
   * person and never a live secret.
   */
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
