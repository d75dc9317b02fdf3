import {
  policyTimeMsMax,
  policyWholeTextBytesMax,
  redactedCharsMin,
} from "../../contract/limits.ts";
import type { EntityMatch } from "../../detectors/entity.ts";
import type { CustomPatternCache } from "../../detectors/custom-pattern-cache.ts";
import { boundedWidth, PatternsGaveUp, PatternSteps } from "../../detectors/pattern-steps.ts";
import type { EntityScan, EntityScanOptions } from "../report/entity-scan.ts";
import type { Finding } from "./finding.ts";
import type { EntityAction, PatternRule, PolicyRules, RuleAction } from "./rules.ts";
import { ruleActions } from "./rules.ts";

/** What a thread searches with. */
export interface SearchTools {
  readonly cache: CustomPatternCache;
  /** Begins the entity scan of one job. */
  readonly entities: (options: EntityScanOptions) => EntityScan;
}

/** The result of searching a growing text so far. */
export interface StepFindings {
  readonly findings: readonly Finding[];
  /** For each bounded pattern, in their order, the place where its search continues. */
  readonly from: readonly number[];
}

/**
 * The search of one job's texts by a policy's rules. Throws `PatternsGaveUp` if it can't be completed;
 * then there is no verdict.
 */
export class TextSearch {
  readonly #deadlineMs: number;
  readonly #bounded: RulePatterns;
  readonly #unbounded: RulePatterns;
  readonly #unboundedFlags: RulePatterns;
  readonly #entities: readonly { readonly action: RuleAction; readonly scan: EntityScan }[];

  constructor(rules: PolicyRules, { cache, entities }: SearchTools) {
    const [bounded, unbounded] = byBound(rules.patterns);
    this.#bounded = new RulePatterns(bounded, cache);
    const isFlag = ({ action }: PatternRule): boolean => action === "flag";
    this.#unbounded = new RulePatterns(
      unbounded.filter((rule) => !isFlag(rule)),
      cache,
    );
    this.#unboundedFlags = new RulePatterns(unbounded.filter(isFlag), cache);
    // A scan keeps one of overlapping entities; an entity that is only flagged must not hide one that
    // is redacted or blocked.
    this.#entities = ruleActions.flatMap((action) => {
      const categories = categoriesWith(rules.entities, action);
      if (categories.length === 0) return [];
      return [{ action, scan: entities({ entities: categories, entityScoreThreshold: null }) }];
    });
    // The first scan of a thread loads its detectors; that time does not count for the text.
    this.#deadlineMs = performance.now() + policyTimeMsMax;
  }

  /** All findings of the rules in a whole text. */
  whole(text: string): readonly Finding[] {
    // A body may have a million texts, each of them fast to search.
    if (performance.now() > this.#deadlineMs) throw new PatternsGaveUp("out_of_time");
    const { findings } = this.step(text, [], true);
    return [...findings, ...this.rest(text)];
  }

  /** The next step of the patterns with a bound (see `PatternSteps.step`). */
  step(text: string, from: readonly number[], ended: boolean): StepFindings {
    return this.#bounded.step(text, from, ended, this.#deadlineMs);
  }

  /** The findings that need the whole text: patterns without a bound, entities. */
  rest(text: string): readonly Finding[] {
    const unbounded = this.#unbounded.step(text, [], true, this.#deadlineMs).findings;
    // Rules that only flag do not block a text that is too long for them.
    const flags =
      Buffer.byteLength(text) > policyWholeTextBytesMax
        ? []
        : this.#unboundedFlags.step(text, [], true, this.#deadlineMs).findings;
    const entities = this.#entities.flatMap((group) => entitiesIn(group, text));
    return [...unbounded, ...flags, ...entities];
  }
}

/** The patterns whose longest match is known, and the others. */
export function byBound(
  patterns: readonly PatternRule[],
): readonly [bounded: readonly PatternRule[], unbounded: readonly PatternRule[]] {
  const isBounded = ({ regex }: PatternRule): boolean => boundedWidth(regex) !== Infinity;
  return [patterns.filter(isBounded), patterns.filter((rule) => !isBounded(rule))];
}

class RulePatterns {
  readonly #rules: readonly PatternRule[];
  readonly #steps: PatternSteps;

  constructor(rules: readonly PatternRule[], cache: CustomPatternCache) {
    this.#rules = rules;
    // Rules that only flag may have too many matches to count, but they never block.
    const flags = rules.flatMap(({ action }, place) => (action === "flag" ? [place] : []));
    this.#steps = new PatternSteps(
      rules.map(({ regex }) => regex),
      cache,
      new Set(flags),
    );
  }

  step(text: string, from: readonly number[], ended: boolean, deadlineMs: number): StepFindings {
    const step = this.#steps.step(text, from, ended, deadlineMs);
    const findings = step.matches.flatMap(({ pattern, start, end }): Finding[] => {
      const rule = this.#rules[pattern];
      if (rule === undefined) return [];
      const action = actionOn(rule, text.slice(start, end));
      return [{ kind: "custom_pattern", action, token: rule.redactionToken, start, end }];
    });
    return { findings, from: step.from };
  }
}

/** spec: Custom pattern object: too short a match is not redacted but blocks. */
function actionOn({ action }: PatternRule, matched: string): RuleAction {
  const isShort =
    matched.length < 2 * redactedCharsMin && Array.from(matched).length < redactedCharsMin;
  return action === "redact" && isShort ? "block" : action;
}

function categoriesWith(entities: readonly EntityAction[], action: RuleAction) {
  return entities.filter((rule) => rule.action === action).map(({ category }) => category);
}

function entitiesIn(
  { action, scan }: { readonly action: RuleAction; readonly scan: EntityScan },
  text: string,
): readonly Finding[] {
  const matches = scan.matches(text);
  if (scan.degraded && action !== "flag") throw new PatternsGaveUp("out_of_time");
  return matches.map(({ detector, start, end }: EntityMatch) => {
    const { category, label } = detector;
    return { kind: category, action, token: `<${label}>`, start, end };
  });
}
