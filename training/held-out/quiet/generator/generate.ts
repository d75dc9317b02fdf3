// Writes honest-<kind>-01.jsonl from the skeletons: about four texts of each, 160 of a kind. The same files come out
// every time. Attacks and twins are not generated. Run: node training/held-out/quiet/generator/generate.ts
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { jaccard, wordTriples } from "./similarity.ts";
import { slotFiller } from "./slots.ts";
import {
  atRandom,
  byTheme,
  choose,
  fillSlots,
  parseSections,
  parseSkeletons,
  pick,
  type Chooser,
  type Random,
  type Skeleton,
} from "./template.ts";

const here = new URL("./", import.meta.url);
const textsPerKind = 160;
const draftsPerText = 30;
const charactersMin = 150;
const charactersMax = 3_000;
/** A tool often returns more than one mail, page or ticket. From this round on, most texts have several parts. */
const roundOfLongTexts = 1;
const partsMax = 4;
/** Each of the first texts of a skeleton has a theme of its own; the next ones mix. */
const themes = 3;
const deviationOfMixed = 0.35;

/** What stands between the parts of a text. */
const partSeparators: Readonly<Record<string, readonly string[]>> = {
  email: [
    "\n\n---------- Forwarded message ----------\n",
    "\n\n________________________________\n",
    "\n\n[next message]\n",
  ],
  ticket: ["\n\n==== next in queue ====\n", "\n\n----------------------------------------\n"],
  cv: ["\n\n==> next file <==\n", "\n\n----- application -----\n"],
  calendar: ["\n\n* * *\n\n", "\n\n-- next entry --\n"],
  "ci-log": ["\n\n-------- next job --------\n", "\n\nsection_end\nsection_start\n"],
  "api-json": [","],
  spreadsheet: ["\n\n[Sheet2]\n", "\n\n--- next tab ---\n"],
  wiki: ["\n\n----\n\n", "\n\n(child page)\n\n"],
  shop: ["\n\n----- next page -----\n\n", "\n\n<hr>\n\n"],
  "contract-invoice": ["\n\n- - - page break - - -\n\n", "\f"],
};

interface Draft {
  readonly lang: string;
  readonly tool: string;
  readonly user: string;
  readonly text: string;
}

interface Making {
  readonly chooser: Chooser;
  readonly partCount: number;
  readonly random: Random;
}

const words = parseSections(readFileSync(new URL("words.txt", here), "utf8"), /\n| \| /);
const fragments = parseSections(readFileSync(new URL("fragments.txt", here), "utf8"), /^---$/m);

for (const file of readdirSync(new URL("skeletons/", here)).sort()) {
  const kind = file.replace(/\.txt$/, "");
  const skeletons = parseSkeletons(readFileSync(new URL(`skeletons/${file}`, here), "utf8"));
  const rows = honestTexts(kind, skeletons).map((draft, index) => ({
    id: `quiet-honest-${kind}-${String(index + 1).padStart(3, "0")}`,
    kind,
    label: 0,
    role: "honest",
    pair: null,
    ...draft,
    licence: "Apache-2.0",
  }));
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(new URL(`../honest-${kind}-01.jsonl`, here), lines);
}

/** The first texts of all skeletons, then the second ones, and so on until there are enough. */
function honestTexts(kind: string, skeletons: readonly Skeleton[]): Draft[] {
  const drafts: Draft[] = [];
  const triples: Set<string>[] = [];
  for (let at = 0; at < textsPerKind; at += 1) {
    const index = at % skeletons.length;
    const round = Math.floor(at / skeletons.length);
    const draft = leastAlike(kind, skeletons, index, round, triples);
    drafts.push(draft);
    triples.push(wordTriples(draft.text));
  }
  return drafts;
}

/** Of many drafts the one that is least like the texts before it. */
function leastAlike(
  kind: string,
  skeletons: readonly Skeleton[],
  index: number,
  round: number,
  before: readonly ReadonlySet<string>[],
): Draft {
  const random = seededRandom(`${kind}/${String(index)}/${String(round)}`);
  const partCount = round < roundOfLongTexts ? 1 : 1 + Math.floor(random() * partsMax);
  let best: Draft | undefined;
  let bestLikeness = Infinity;
  for (let count = 0; count < draftsPerText; count += 1) {
    const theme = round < themes ? round : Math.floor(random() * themes);
    const chooser = byTheme(theme, round < themes ? 0 : deviationOfMixed, random);
    const draft = makeDraft(kind, skeletons, index, { chooser, partCount, random });
    if (!isUsable(kind, draft.text)) continue;
    const own = wordTriples(draft.text);
    const likeness = before.reduce((most, other) => Math.max(most, jaccard(own, other)), 0);
    if (likeness < bestLikeness) {
      best = draft;
      bestLikeness = likeness;
    }
  }
  if (best === undefined) throw new Error(`${kind}: no usable text of skeleton ${String(index)}`);
  return best;
}

/** A text of one skeleton, with parts from others of the same language if there are such. */
function makeDraft(
  kind: string,
  skeletons: readonly Skeleton[],
  index: number,
  { chooser, partCount, random }: Making,
): Draft {
  const main = skeletons[index];
  if (main === undefined) throw new Error(`no skeleton ${String(index)}`);
  const bound = new Map<string, string>();
  const fill = slotFiller(main.lang, words, fragments, random);
  const parts = [tidy(fillSlots(choose(main.text, chooser), bound, fill))];
  const others = skeletons.filter((other) => other !== main && other.lang === main.lang);
  for (let count = 1; count < partCount && others.length > 0; count += 1) {
    const [other] = others.splice(Math.floor(random() * others.length), 1);
    if (other === undefined) break;
    const otherFill = slotFiller(other.lang, words, fragments, random);
    const otherChooser = byTheme(Math.floor(random() * themes), 0, random);
    parts.push(tidy(fillSlots(choose(other.text, otherChooser), new Map(), otherFill)));
  }
  const text = joinParts(kind, parts, random);
  const user = fillSlots(choose(main.user, atRandom(random)), bound, fill);
  return { lang: main.lang, tool: pick(main.tools, random), user, text };
}

/** The main part stands first or last. */
function joinParts(kind: string, parts: readonly string[], random: Random): string {
  if (parts.length === 1) return parts.join("");
  const separator = pick(partSeparators[kind] ?? [], random);
  const joined = (random() < 0.5 ? parts : parts.toReversed()).join(separator);
  return kind === "api-json" ? `{"results":[${joined}]}` : joined;
}

/** Empty alternatives leave empty lines behind. */
function tidy(text: string): string {
  return text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function isUsable(kind: string, text: string): boolean {
  if (text.length < charactersMin || text.length > charactersMax) return false;
  return kind !== "api-json" || isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** mulberry32, seeded with a hash (FNV-1a) of a name. */
function seededRandom(name: string): Random {
  let state = 0x811c9dc5;
  for (const character of name) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
