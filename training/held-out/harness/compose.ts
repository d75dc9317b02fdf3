// node training/held-out/harness/compose.ts [held-out|corpus]: writes the texts of
// training/<that>/harness from its sources, and SHA256SUMS. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { withoutDuplicates } from "../../injection/duplicates.ts";
import { Random } from "../../names/random.ts";
import { Composition, kinds, readSources, type Kind, type Skeleton } from "./skeletons.ts";

const sets = {
  "held-out": { prefix: "hh", seed: 41, texts: { rules: 800, page: 600, state: 600 } },
  corpus: { prefix: "ch", seed: 42, texts: { rules: 400, page: 300, state: 300 } },
} as const;

/** How often a skeleton is tried; what resembles an earlier text is dropped. */
const rounds = 16;
/** Below the 0.8 that is promised, so that disguises or wrappers around a text do not reach it. */
const similarityMax = 0.7;
const textChars = { min: 5, max: 12_000 };
const fileBytesMax = 800_000;

interface Row {
  readonly id: string;
  readonly kind: Kind;
  readonly form: string;
  readonly label: 0;
  readonly lang: string;
  readonly text: string;
  readonly licence: "Apache-2.0";
}

const name = process.argv[2] === "corpus" ? "corpus" : "held-out";
const { prefix, seed, texts } = sets[name];
const folder = new URL(`../../${name}/harness/`, import.meta.url);
const sources = readSources(new URL("sources/", folder));
const random = new Random(seed);

for (const file of readdirSync(folder)) if (file.endsWith(".jsonl")) rmSync(new URL(file, folder));
const candidates = Array.from({ length: rounds }, () =>
  random
    .shuffle(
      sources.skeletons.flatMap((skeleton) =>
        Array.from({ length: skeleton.times }, () => skeleton),
      ),
    )
    .map(candidateOf),
);
const distinct = withoutDuplicates(
  candidates
    .flat()
    .filter(({ text }) => text.length >= textChars.min && text.length <= textChars.max),
  similarityMax,
);
for (const kind of kinds) writeKind(kind);
writeSums();

function candidateOf(skeleton: Skeleton): {
  readonly skeleton: Skeleton;
  readonly text: string;
  readonly label: 0;
  readonly segment: "user";
} {
  const text = new Composition(sources, random).text(skeleton);
  return { skeleton, text, label: 0, segment: "user" };
}

/** The first rounds first: so every skeleton has a text before any has two. */
function writeKind(kind: Kind): void {
  const own = distinct.filter(({ skeleton }) => skeleton.kind === kind).slice(0, texts[kind]);
  const rows = random.shuffle(own).map(({ skeleton: { form, lang }, text }, at): Row => ({
    id: `${prefix}-${kind}-${String(at + 1).padStart(4, "0")}`,
    kind,
    form,
    label: 0,
    lang,
    text,
    licence: "Apache-2.0",
  }));
  const chars = rows.map(({ text }) => text.length).sort((a, b) => a - b);
  const used = new Set(own.map(({ skeleton }) => skeleton)).size;
  const middle = chars[chars.length >> 1] ?? 0;
  console.log(
    `${kind}: ${rows.length} texts of ${used} skeletons, median ${middle} characters, ` +
      `${chars[0] ?? 0} to ${chars.at(-1) ?? 0}`,
  );
  if (rows.length < texts[kind]) throw new Error(`too few texts of the kind ${kind}`);
  writeFiles(kind, rows);
}

function writeFiles(kind: Kind, rows: readonly Row[]): void {
  let part = 0;
  let lines = "";
  let bytes = 0;
  const flush = (): void => {
    part++;
    writeFileSync(new URL(`${kind}-${String(part).padStart(2, "0")}.jsonl`, folder), lines);
    lines = "";
    bytes = 0;
  };
  for (const row of rows) {
    const line = `${JSON.stringify(row)}\n`;
    if (bytes > 0 && bytes + Buffer.byteLength(line) > fileBytesMax) flush();
    lines += line;
    bytes += Buffer.byteLength(line);
  }
  flush();
}

function writeSums(): void {
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  const sums = files.sort().map((file) => {
    const hash = createHash("sha256").update(readFileSync(new URL(file, folder)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  writeFileSync(new URL("SHA256SUMS", folder), sums.join(""));
}
