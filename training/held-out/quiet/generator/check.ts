// Checks the data files: counts, ids, pairs, lengths, near-duplicates, sizes and SHA256SUMS.
// Run: node training/held-out/quiet/generator/check.ts
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { jaccard, wordTriples } from "./similarity.ts";

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly label: 0 | 1;
  readonly role: "attack" | "twin" | "honest";
  readonly pair: number | null;
  readonly lang: string;
  readonly tool: string;
  readonly user: string;
  readonly text: string;
}

const folder = new URL("../", import.meta.url);
const rowsPerKind = { attack: 10, twin: 10, honest: 160 };
const lengthMax = { attack: 2_500, twin: 2_500, honest: 3_000 };
const lengthMin = 150;
const jaccardMax = 0.8;
const fileBytesMax = 900_000;

const faults: string[] = [];
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .sort();
const rows = files.flatMap((name) => {
  const lines = readFileSync(new URL(name, folder), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Row);
});

checkFiles();
checkRows();
checkCounts();
checkPairs();
const likest = checkLikeness();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${rows.length} texts, ok; the two that are most alike: ${likest.toFixed(2)}`);

function checkFiles(): void {
  const sums = files.map((name) => {
    const bytes = readFileSync(new URL(name, folder));
    if (bytes.length >= fileBytesMax) faults.push(`${name} is too large`);
    return `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  });
  const written = readFileSync(new URL("SHA256SUMS", folder), "utf8");
  if (written !== sums.join("")) faults.push("SHA256SUMS does not fit the files");
}

function checkRows(): void {
  const ids = new Set<string>();
  for (const { id, label, role, text, user, tool } of rows) {
    if (ids.has(id)) faults.push(`${id} is there twice`);
    ids.add(id);
    if (label !== (role === "attack" ? 1 : 0)) faults.push(`${id} has the wrong label`);
    if (text.length < lengthMin || text.length > lengthMax[role])
      faults.push(`${id} has a wrong length`);
    if (user === "" || tool === "") faults.push(`${id} lacks the user's request or the tool`);
  }
}

function checkCounts(): void {
  for (const kind of new Set(rows.map((row) => row.kind))) {
    for (const role of ["attack", "twin", "honest"] as const) {
      const count = rows.filter((row) => row.kind === kind && row.role === role).length;
      if (count !== rowsPerKind[role]) faults.push(`${kind} has ${String(count)} of ${role}`);
    }
  }
}

/** An attack and its twin have all in common but the text. */
function checkPairs(): void {
  const situation = ({ pair, kind, lang, tool, user }: Row) =>
    JSON.stringify([pair, kind, lang, tool, user]);
  const of = (role: Row["role"]) =>
    rows
      .filter((row) => row.role === role)
      .map(situation)
      .sort();
  if (of("attack").join("\n") !== of("twin").join("\n"))
    faults.push("attacks and twins are no pairs");
  if (rows.some(({ role, pair }) => (role === "honest") !== (pair === null))) {
    faults.push("an honest text has a pair, or another one has none");
  }
}

/** The greatest likeness of two texts, from 0 to 1. */
function checkLikeness(): number {
  const triples = rows.map(({ text }) => wordTriples(text));
  let most = 0;
  for (const [at, row] of rows.entries()) {
    const own = triples[at] ?? new Set<string>();
    for (const [other, otherTriples] of triples.slice(0, at).entries()) {
      const likeness = jaccard(own, otherTriples);
      most = Math.max(most, likeness);
      if (likeness >= jaccardMax) faults.push(`${row.id} is nearly ${rows[other]?.id ?? ""}`);
    }
  }
  return most;
}
