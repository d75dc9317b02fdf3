import { performance } from "node:perf_hooks";
import type RE2 from "re2";
import type { CustomPatternScan as Summary } from "../contract/scan-response.ts";
import {
  customPatternFindingsMax,
  customPatternMatchBytesMax,
  customPatternMatchesMax,
  customPatternWindowBytes,
} from "../contract/limits.ts";
import type { CustomPatternCache } from "./custom-pattern-cache.ts";
import type { ValidCustomPattern } from "./custom-pattern.ts";
import { Utf16Offsets } from "./search/utf16-offsets.ts";
import { characterEnd, characterStart } from "./utf8-characters.ts";

/** A value that a pattern matches; offsets in UTF-16 code units, `end` exclusive. */
export interface CustomPatternMatch {
  readonly pattern: ValidCustomPattern;
  readonly start: number;
  readonly end: number;
}

/**
 * One scan of several content parts for custom patterns (spec: Scan limits). A match is at most
 * `customPatternMatchBytesMax` bytes of UTF-8 long; of a longer match only pieces may be found.
 */
export class CustomPatternSearch {
  readonly #patterns: readonly { readonly pattern: ValidCustomPattern; readonly regex: RE2 }[];
  readonly #endsAtMs: number;
  readonly #truncated = new Set<string>();
  #evaluated = 0;
  #findings = 0;

  /** `patterns` were validated. `budgetMs` counts from now; a call of RE2 may exceed it by 0.2 s. */
  constructor(
    patterns: readonly ValidCustomPattern[],
    cache: CustomPatternCache,
    budgetMs: number,
  ) {
    this.#endsAtMs = performance.now() + budgetMs;
    this.#patterns = patterns.map((pattern) => {
      const compiled = cache.compile(pattern.regex);
      if (!compiled.ok) throw new Error("a custom pattern was not validated");
      return { pattern, regex: compiled.regex };
    });
  }

  /** The member `custom_pattern_scan` of the response, for the parts scanned so far. */
  get summary(): Summary {
    return {
      patterns_evaluated: this.#evaluated,
      truncated: this.#truncated.size > 0,
      truncated_patterns: [...this.#truncated],
      findings_capped: this.#isCapped,
    };
  }

  /**
   * The findings in the next part, sorted by `start`, then in the order of the patterns. Findings
   * of different patterns may overlap. null: the budget ran out, and this scan has no result.
   */
  scan(text: string): readonly CustomPatternMatch[] | null {
    const utf8 = Buffer.from(text);
    const offsets = new Utf16Offsets(text, utf8);
    const findings: CustomPatternMatch[] = [];
    for (const [index, { pattern, regex }] of this.#patterns.entries()) {
      if (this.#isCapped) break;
      this.#evaluated = Math.max(this.#evaluated, index + 1);
      const spans = this.#spansOf(regex, utf8);
      if (!spans) return null;
      if (spans.length > customPatternMatchesMax) {
        this.#truncated.add(pattern.name);
        spans.pop();
      }
      const reported = spans.slice(0, customPatternFindingsMax - this.#findings);
      this.#findings += reported.length;
      for (const { from, to } of reported) {
        findings.push({ pattern, start: offsets.at(from), end: offsets.at(to) });
      }
    }
    return findings.sort((a, b) => a.start - b.start);
  }

  get #isCapped(): boolean {
    return this.#findings >= customPatternFindingsMax;
  }

  /**
   * The matches that are not empty, at most one more than may be reported; null: out of time. RE2
   * gets the text in windows, so that no call runs long.
   */
  #spansOf(regex: RE2, utf8: Buffer): Span[] | null {
    const spans: Span[] = [];
    let at = 0;
    while (at < utf8.length && spans.length <= customPatternMatchesMax) {
      if (performance.now() >= this.#endsAtMs) return null;
      const { span, ownedTo, isCut } = firstMatch(regex, utf8, at);
      if (!span || span.from >= ownedTo) {
        at = ownedTo;
      } else if (isCut && span.from > at) {
        // The next window begins at the match, so it may hold the whole match.
        at = span.from;
      } else {
        if (span.to > span.from) spans.push(span);
        at = span.to > at ? span.to : characterEnd(utf8, at + 1);
      }
    }
    return spans;
  }
}

/** In bytes of UTF-8. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Look {
  readonly span: Span | null;
  /** Matches from here on belong to the next window, which holds more of the text after them. */
  readonly ownedTo: number;
  /** The match ends with the window and not with the text. */
  readonly isCut: boolean;
}

/** Looks for a match from `at` on, in as much text as RE2 may get at once. */
function firstMatch(regex: RE2, utf8: Buffer, at: number): Look {
  // The byte before `at` decides whether ^ and \b match there.
  const windowFrom = Math.max(0, at - 1);
  const windowTo = Math.min(windowFrom + customPatternWindowBytes, utf8.length);
  const isLast = windowTo === utf8.length;
  regex.lastIndex = at - windowFrom;
  const found = regex.exec<Buffer>(utf8.subarray(windowFrom, windowTo));
  // \C may match one byte of a character, but offsets are those of whole characters.
  const from = windowFrom + (found?.index ?? 0);
  const span = found && {
    from: characterStart(utf8, from),
    to: characterEnd(utf8, from + found[0].length),
  };
  return {
    span,
    ownedTo: isLast ? windowTo : windowTo - customPatternMatchBytesMax,
    isCut: !isLast && span !== null && span.to >= windowTo,
  };
}
