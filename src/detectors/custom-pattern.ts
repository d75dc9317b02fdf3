import {
  CustomPattern,
  redactionTokenDefault,
  type CustomPatternError,
} from "../contract/custom-pattern.ts";
import {
  customPatternErrorsMax,
  customPatternNameCharsMax,
  customPatternRegexCharsMax,
  customPatternsMax,
  redactionTokenCharsMax,
} from "../contract/limits.ts";
import { isPlainObject } from "../contract/plain-object.ts";
import type { CustomPatternCache } from "./custom-pattern-cache.ts";

/** A pattern without faults, `redactionToken` filled in. */
export type ValidCustomPattern = Required<CustomPattern>;
type Code = CustomPatternError["code"];

const { direction: directions, action: actions } = CustomPattern.properties;

export type ValidatedCustomPatterns =
  | { readonly ok: true; readonly patterns: readonly ValidCustomPattern[] }
  | {
      readonly ok: false;
      /** The first `customPatternErrorsMax`, in the order of the list. */
      readonly errors: readonly CustomPatternError[];
      /** How many more there are. */
      readonly errorsTruncated: number;
    };

/**
 * Checks a list of patterns and fills in `redactionToken`. One fault refuses the whole list. Unknown
 * members are ignored. Compiling one pattern can take half a second, so this belongs in the pool for
 * custom patterns. Patterns after the fiftieth are not read.
 */
export function validateCustomPatterns(
  list: unknown,
  cache: CustomPatternCache,
): ValidatedCustomPatterns {
  const errors: CustomPatternError[] = [];
  const patterns = Array.isArray(list) ? validatedItems(list, cache, errors) : [];
  if (!Array.isArray(list)) errors.push(ofList("invalid_type", "must be an array"));
  if (errors.length === 0) return { ok: true, patterns };
  return {
    ok: false,
    errors: errors.slice(0, customPatternErrorsMax),
    errorsTruncated: Math.max(0, errors.length - customPatternErrorsMax),
  };
}

function validatedItems(
  list: readonly unknown[],
  cache: CustomPatternCache,
  errors: CustomPatternError[],
): readonly ValidCustomPattern[] {
  if (list.length === 0) errors.push(ofList("too_short", "must hold at least 1 pattern"));
  if (list.length > customPatternsMax) {
    errors.push(ofList("too_many_patterns", `must hold at most ${customPatternsMax} patterns`));
  }
  const names = new Set<string>();
  return list.slice(0, customPatternsMax).flatMap((item, index) => {
    const pattern = new PatternReader(item, index, errors).read(names, cache);
    return pattern ? [pattern] : [];
  });
}

function ofList(code: Code, message: string): CustomPatternError {
  return { field: list, code, message: `${list} ${message}`, index: 0, patternName: null };
}

const list = "custom_patterns";

/** Reads one item of the list and notes what is wrong with it. */
class PatternReader {
  readonly #item: unknown;
  readonly #index: number;
  readonly #errors: CustomPatternError[];

  constructor(item: unknown, index: number, errors: CustomPatternError[]) {
    this.#item = item;
    this.#index = index;
    this.#errors = errors;
  }

  /**
   * null: an error was noted. `names` holds the names of the patterns before this one, in lower
   * case.
   */
  read(names: Set<string>, cache: CustomPatternCache): ValidCustomPattern | null {
    if (!isPlainObject(this.#item)) {
      return this.#wrong(list, "invalid_type", "must be an object");
    }
    const name = this.#uniqueName(this.#text("name", customPatternNameCharsMax), names);
    const regex = this.#compiling(this.#text("regex", customPatternRegexCharsMax), cache);
    const direction = this.#oneOf("direction", directions.enum);
    const action = this.#oneOf("action", actions.enum);
    const redactionToken =
      this.#member("redactionToken") === undefined
        ? redactionTokenDefault
        : this.#text("redactionToken", redactionTokenCharsMax);
    if (name === null || regex === null || redactionToken === null) return null;
    if (direction === null || action === null) return null;
    return { name, regex, direction, action, redactionToken };
  }

  #uniqueName(name: string | null, names: Set<string>): string | null {
    if (name === null) return null;
    const folded = name.normalize("NFC").toLowerCase();
    if (names.has(folded)) {
      return this.#wrong(
        "name",
        "duplicate_name",
        "is the name of another pattern, whatever its case",
      );
    }
    names.add(folded);
    return name;
  }

  #compiling(regex: string | null, cache: CustomPatternCache): string | null {
    if (regex === null) return null;
    // A pattern written as /…/i compiles, but would look for the slashes.
    if (/^\/.*\/[dgimsuvxy]*$/s.test(regex)) {
      return this.#wrong(
        "regex",
        "regex_syntax",
        String.raw`has delimiters; \/ is a slash, (?i) a flag`,
      );
    }
    const compiled = cache.compile(regex);
    return compiled.ok ? regex : this.#wrong("regex", compiled.code, compiled.message);
  }

  #text(field: string, charsMax: number): string | null {
    const value = this.#member(field);
    if (value === undefined) return this.#wrong(field, "required", "is required");
    if (typeof value !== "string") return this.#wrong(field, "invalid_type", "must be a string");
    if (value === "") return this.#wrong(field, "too_short", "must have at least 1 character");
    // A string never has more characters than UTF-16 units.
    if (value.length > charsMax && Array.from(value).length > charsMax) {
      return this.#wrong(field, "too_long", `must have at most ${charsMax} characters`);
    }
    return value;
  }

  #oneOf<T extends string>(field: string, allowed: readonly T[]): T | null {
    const value = this.#member(field);
    if (value === undefined) return this.#wrong(field, "required", "is required");
    if (typeof value !== "string") return this.#wrong(field, "invalid_type", "must be a string");
    const found = allowed.find((one) => one === value);
    return found ?? this.#wrong(field, "invalid_enum", `must be one of ${allowed.join(", ")}`);
  }

  #member(field: string): unknown {
    return Object.getOwnPropertyDescriptor(Object(this.#item), field)?.value;
  }

  #wrong(field: string, code: Code, message: string): null {
    const name = this.#member("name");
    const patternName = typeof name === "string" ? shortened(name) : null;
    const pattern = patternName === null ? `number ${this.#index}` : JSON.stringify(patternName);
    this.#errors.push({
      field,
      code,
      message: `custom pattern ${pattern}: ${field} ${message}`,
      index: this.#index,
      patternName,
    });
    return null;
  }
}

/** An error repeats the pattern's name, but only its beginning if the name is long. */
function shortened(name: string): string {
  return Array.from(name.slice(0, 2 * customPatternNameCharsMax))
    .slice(0, customPatternNameCharsMax)
    .join("");
}
