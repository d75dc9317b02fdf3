import { readFileSync } from "node:fs";

// The word lists that were written for this model: words/*.txt.

/** A group of languages that share name and street forms. */
export interface Culture {
  readonly id: string;
  readonly given: readonly string[];
  readonly surnames: readonly string[];
}

export interface StreetForm {
  readonly language: string;
  readonly form: string;
}

export function cultures(): readonly Culture[] {
  const found = new Map<string, { id: string; given: string[]; surnames: string[] }>();
  for (const line of lines("words/cultures.txt")) {
    const [id = "", kind = "", names = ""] = line.split("|");
    const culture = found.get(id) ?? { id, given: [], surnames: [] };
    found.set(id, culture);
    if (kind === "g") culture.given.push(...names.split(" "));
    else culture.surnames.push(...names.split(" ").map((name) => spaced(id, name)));
  }
  return [...found.values()];
}

/** Hyphens stand for the spaces of Dutch and Italian surnames in the list. */
function spaced(culture: string, name: string): string {
  return culture === "nl" || culture === "it" ? name.replaceAll("-", " ") : name;
}

export function streetForms(): readonly StreetForm[] {
  return lines("words/streets.txt").map((line) => {
    const [language = "", form = ""] = line.split("|");
    return { language, form };
  });
}

/** Lists by key. */
export function wordLists(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    lines("words/words.txt").map((line) => {
      const [key = "", words = ""] = line.split("|");
      return [key, words.split(",")];
    }),
  );
}

/** Sentence templates by file. */
export function templates(): readonly (readonly string[])[] {
  const files = ["people", "places", "addresses", "organizations", "forms", "negatives", "german"];
  return [...files, "romance", "northern"].map((file) =>
    lines(`templates/${file}.txt`).map((line) =>
      line.replaceAll("\\n", "\n").replaceAll("\\t", "\t"),
    ),
  );
}

function lines(path: string): string[] {
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
}
