import RE2 from "re2";
import { customPatternCacheMax } from "../contract/limits.ts";

/** A pattern's automaton, or why it has none. */
export type CompiledCustomPattern =
  | { readonly ok: true; readonly regex: RE2 }
  | {
      readonly ok: false;
      readonly code: "regex_syntax" | "regex_unsupported_feature";
      readonly message: string;
    };

/**
 * The most recently used patterns, compiled, and those that failed to compile. Each thread has one
 * cache.
 */
export class CustomPatternCache {
  readonly #entriesMax: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, CompiledCustomPattern>();

  /** An automaton of a hostile pattern holds up to 3 MB. */
  constructor(entriesMax: number = customPatternCacheMax) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  compile(regex: string): CompiledCustomPattern {
    const compiled = this.#entries.get(regex) ?? compile(regex);
    this.#entries.delete(regex);
    this.#entries.set(regex, compiled);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#entriesMax && oldest !== undefined) this.#entries.delete(oldest);
    return compiled;
  }
}

/** RE2's error texts for features that it lacks: lookaround, backreferences and the like. */
const unsupported =
  /^invalid perl operator: \(\?(?:[=!<>(#&|+R\d]|P[=>]?$|P$)|^invalid escape sequence: \\[1-9gkKGZRXhH]|^bad repetition operator: [*+?]\+/;

function compile(regex: string): CompiledCustomPattern {
  try {
    return { ok: true, regex: new RE2(regex, "gu") };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unsupported.test(error.message)
      ? {
          ok: false,
          code: "regex_unsupported_feature",
          message: `uses what RE2 lacks: ${error.message}`,
        }
      : { ok: false, code: "regex_syntax", message: `is not RE2 syntax: ${error.message}` };
  }
}
