// Writes the rows of every kind in sources/ and SHA256SUMS. The same sources give the same bytes.
// Run: node training/corpus/quiet/generator/generate.ts
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { jaccard, wordTriples } from "../../../held-out/quiet/generator/similarity.ts";
import { choose, parseSections } from "../../../held-out/quiet/generator/template.ts";
import { Random } from "../../../names/random.ts";
import { Slots } from "./slots.ts";
import { parseSource, type Group, type Pair, type Source } from "./sources.ts";

const here = new URL("./", import.meta.url);
const folder = new URL("../", here);
const honestPerKind = 300;
const honestPerOtherLanguage = 8;
const otherLanguages = ["de", "fr", "es", "pt", "ja", "zh"];
/** How many honest blocks a text has; a pair's has its own besides. */
const blockCounts = { honest: [1, 2, 2, 3, 3, 4, 5, 7, 10, 16], pair: [1, 1, 2, 3, 4, 6, 9, 15] };
/** Of so many drafts the one is taken that is least like the texts before it. */
const draftsPerText = 10;
const charactersMax = 4_000;
/** A Chinese or Japanese text says as much with fewer characters. */
const charactersMin = { honest: 150, pair: 300, eastern: 150 };

interface Draft {
  readonly lang: string;
  readonly tool: string;
  readonly user: string;
  readonly text: string;
}

const words = parseSections(readFileSync(new URL("words.txt", here), "utf8"), /\n| \| /);
for (const file of readdirSync(folder)) if (file.endsWith(".jsonl")) rmSync(new URL(file, folder));
for (const file of readdirSync(new URL("sources/", here)).sort()) {
  const source = parseSource(readFileSync(new URL(`sources/${file}`, here), "utf8"));
  writeKind(file.replace(/\.txt$/, ""), source);
}
writeSums();

function writeKind(kind: string, source: Source): void {
  for (const role of ["attack", "twin"] as const) {
    const drafts = source.pairs.map((pair, index) => {
      const random = new Random(seedOf(`${kind}/${role}/${String(index)}`));
      return draftOfPair(source, pair, role, random);
    });
    writeRows(kind, role, drafts);
  }
  writeRows(kind, "honest", honestDrafts(kind, source));
}

/** The instruction stands among honest blocks: between any two of them, first or last. */
function draftOfPair(source: Source, pair: Pair, role: "attack" | "twin", random: Random): Draft {
  const own = pair.context === "" ? pair[role] : inContext(pair.context, pair[role]);
  const isEastern = pair.lang === "ja" || pair.lang === "zh";
  const least = isEastern ? charactersMin.eastern : charactersMin.pair;
  for (let count = random.pick(blockCounts.pair), tries = 0; tries < 60; tries += 1) {
    const draft = draftOf(source, pair, count, random, { user: pair.user, own });
    if (draft.text.length > charactersMax) count = Math.max(0, count - 1);
    else if (draft.text.length < least) count += 1;
    else return draft;
  }
  throw new Error(`no usable length: ${pair.user}`);
}

function inContext(context: string, instruction: string): string {
  return context.includes("@@")
    ? context.replace("@@", () => instruction)
    : `${context}\n${instruction}`;
}

function honestDrafts(kind: string, source: Source): Draft[] {
  const triples: Set<string>[] = [];
  const english = honestPerKind - otherLanguages.length * honestPerOtherLanguage;
  const plan = [
    ...Array.from({ length: english }, () => "en"),
    ...otherLanguages.flatMap((lang) => Array.from({ length: honestPerOtherLanguage }, () => lang)),
  ];
  return plan.map((lang, index) => {
    const random = new Random(seedOf(`${kind}/honest/${String(index)}`));
    const themes = themesOf(source, lang);
    const theme = themes[index % themes.length] ?? "*";
    let best: Draft | undefined;
    let bestLikeness = Infinity;
    for (let count = 0; count < draftsPerText; count += 1) {
      const blocks = random.pick(blockCounts.honest);
      const draft = draftOf(source, { lang, theme }, blocks, random);
      if (draft.text.length > charactersMax || draft.text.length < charactersMin.honest) continue;
      const own = wordTriples(draft.text);
      const likeness = triples.reduce((most, other) => Math.max(most, jaccard(own, other)), 0);
      if (likeness < bestLikeness) [best, bestLikeness] = [draft, likeness];
    }
    if (best === undefined) throw new Error(`${kind}: no usable text of ${lang}/${theme}`);
    triples.push(wordTriples(best.text));
    return best;
  });
}

function draftOf(
  source: Source,
  { lang, theme }: Pick<Group, "lang" | "theme">,
  blockCount: number,
  random: Random,
  instruction?: { readonly user: string; readonly own: string },
): Draft {
  const items = (part: Group["part"]): string[] =>
    source.groups
      .filter((group) => group.part === part && group.lang === lang)
      .filter((group) => group.theme === theme || group.theme === "*")
      .flatMap((group) => group.items);
  const chooser = (count: number): number => random.below(count);
  const body = random.shuffle(items("body")).slice(0, blockCount);
  if (instruction !== undefined) body.splice(random.below(body.length + 1), 0, instruction.own);
  const heads = items("head");
  const feet = items("foot");
  const parts = [
    ...(heads.length > 0 ? [random.pick(heads)] : []),
    ...body,
    ...(feet.length > 0 ? [random.pick(feet)] : []),
  ];
  const slots = new Slots(words, lang, random);
  const joined = parts.join(JSON.parse(`"${source.separator}"`) as string);
  const text = slots
    .fill(choose(joined, chooser))
    .replace(/[ \t]+$/gm, "")
    .trim();
  const user = instruction?.user ?? random.pick(items("users"));
  return { lang, tool: random.pick(source.tools), user: slots.fill(choose(user, chooser)), text };
}

function themesOf(source: Source, lang: string): string[] {
  const named = source.groups
    .filter((group) => group.part === "body" && group.lang === lang && group.theme !== "*")
    .map(({ theme }) => theme);
  return [...new Set(named)];
}

function writeRows(kind: string, role: "attack" | "twin" | "honest", drafts: Draft[]): void {
  const lines = drafts.map((draft, index) => {
    const number = String(index + 1).padStart(3, "0");
    const row = {
      id: `quiet-corpus-${role}-${kind}-${number}`,
      kind,
      label: role === "attack" ? 1 : 0,
      role,
      pair: role === "honest" ? null : index + 1,
      ...draft,
      licence: "Apache-2.0",
    };
    return `${JSON.stringify(row)}\n`;
  });
  const name = role === "honest" ? "honest" : `${role}s`;
  writeFileSync(new URL(`${name}-${kind}-01.jsonl`, folder), lines.join(""));
}

function writeSums(): void {
  const sums = readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .sort()
    .map((file) => {
      const hash = createHash("sha256").update(readFileSync(new URL(file, folder)));
      return `${hash.digest("hex")}  ${file}\n`;
    });
  writeFileSync(new URL("SHA256SUMS", folder), sums.join(""));
}

/** FNV-1a */
function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
