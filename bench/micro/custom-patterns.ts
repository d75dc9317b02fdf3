import { CustomPatternCache } from "../../src/detectors/custom-pattern-cache.ts";
import { CustomPatternSearch } from "../../src/detectors/custom-pattern-scan.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { prose } from "./texts.ts";
import { once, speed } from "./timing.ts";

const textCharacters = 32 * 1_024;

/**
 * Custom patterns, usual ones and ones that are written to be slow, without a time budget. A scan
 * has `customPatternMsMax` for all of its patterns and is then answered 503 `detector_unavailable`,
 * in a pool of its own.
 */
export const customPatternSuite: Suite = {
  id: "custom-patterns",
  group: "Custom patterns, one over 32 KB of prose",
  open,
};

const regexes: readonly (readonly [id: string, label: string, regex: string])[] = [
  ["word", "a word that is not there", "passphrase"],
  ["digits", "a number of seven digits", String.raw`\b\d{7}\b`],
  ["letter", "any letter", String.raw`\w`],
  ["nothing", "nothing, everywhere", "x*"],
  ["nested", "repeats in repeats", "(?:(?:[a-z]{1,10} ?){1,10},){1,5}x"],
  ["long", "a long bounded repeat", "[a-z ,.]{500,1000}#"],
  ["alphabets", "every alphabet, bounded", String.raw`(?:\p{L}{1,8}[ ,.]){9}#`],
  ["states", "more states than fit", "[a-m].{300}[n-z].{300}#"],
  ["alike", "alternatives that begin alike", `(?:${"(?:a|b|.)".repeat(40)})#`],
];

function open(): OpenSuite {
  const cache = new CustomPatternCache();
  const text = prose(textCharacters);
  const pieces = regexes.map(([id, label, regex]) => {
    const pattern = {
      name: id,
      regex,
      direction: "both",
      action: "flag",
      redactionToken: "[REDACTED]",
    } as const;
    return once(
      speed(id, text.length, { label }, () =>
        new CustomPatternSearch([pattern], cache, Infinity).scan(text),
      ),
    );
  });
  return { pieces };
}
