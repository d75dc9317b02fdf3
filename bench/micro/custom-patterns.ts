/**
 * Speed of custom patterns, usual ones and ones that are written to be slow, with no budget of time.
 * By hand: `node bench/micro/custom-patterns.ts`. A scan has `customPatternMsMax` for all of its
 * patterns and is then answered 503 `detector_unavailable`, in a pool of its own.
 */
import { customPatternMsMax } from "../../src/contract/limits.ts";
import { CustomPatternCache } from "../../src/detectors/custom-pattern-cache.ts";
import { CustomPatternScan } from "../../src/detectors/custom-pattern-scan.ts";

const textCharacters = 256 * 1024;
const sentence = "The harbour was quiet that morning, and the ferries waited for the fog to lift. ";
const text = sentence.repeat(Math.ceil(textCharacters / sentence.length));

const regexes: Readonly<Record<string, string>> = {
  "a word that is not there": "passphrase",
  "a number of seven digits": String.raw`\b\d{7}\b`,
  "any letter": String.raw`\w`,
  "nothing, everywhere": String.raw`x*`,
  "repeats in repeats": "(?:(?:[a-z]{1,10} ?){1,10},){1,5}x",
  "a long bounded repeat": "[a-z ,.]{500,1000}#",
  "every alphabet, bounded": String.raw`(?:\p{L}{1,8}[ ,.]){9}#`,
  "more states than fit": "[a-m].{300}[n-z].{300}#",
  "alternatives that begin alike": `(?:${"(?:a|b|.)".repeat(40)})#`,
};

const cache = new CustomPatternCache();
console.log(`one pattern over ${text.length} characters of prose`);
for (const [kind, regex] of Object.entries(regexes)) {
  const pattern = {
    name: kind.slice(0, 64),
    regex,
    direction: "both",
    action: "flag",
    redactionToken: "[REDACTED]",
  } as const;
  const before = process.cpuUsage();
  new CustomPatternScan([pattern], cache, Infinity).scan(text);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  const share = ((100 * ms) / customPatternMsMax).toFixed(1);
  const speed = (text.length / 1000 / ms).toFixed(2);
  console.log(`${kind.padEnd(32)} ${speed.padStart(9)} MB/s  ${share.padStart(6)} % of the budget`);
}
