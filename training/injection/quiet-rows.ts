import { createHash } from "node:crypto";
import { injectionTextBytesMax } from "../../src/contract/limits.ts";
import type { Clues } from "../../src/detectors/injection/quiet/clues.ts";
import { QuietContext } from "../../src/detectors/injection/quiet/context.ts";
import { readCorpus, readData, readQuiet, readSessions, rowsOfSessions } from "./rows.ts";

/** A tool's text, and what the user asked for before; null where that is not known. */
export interface QuietText {
  readonly text: string;
  readonly user: string | null;
  readonly label: 0 | 1;
  /** The carrier, such as `readme`; `other` for what was not written for this. */
  readonly kind: string;
  readonly role: "attack" | "twin" | "honest";
  /** The attack in the text, where it is known. */
  readonly needle?: string;
}

/** Of `training/corpus/quiet`. */
export function readQuietCorpus(): QuietText[] {
  return readQuiet("corpus");
}

/** Tools' texts that the detector itself is trained with. */
export function readOtherTools(folder: string): QuietText[] {
  const rows = [
    ...readCorpus(),
    ...readData(folder).filter(({ ship }) => ship),
    ...rowsOfSessions(readSessions()),
  ];
  return rows
    .filter(({ segment }) => segment === "tool")
    .map(({ text, label, needle }) => ({
      text,
      user: null,
      label,
      kind: "other",
      role: label === 1 ? "attack" : "honest",
      ...(needle === undefined ? {} : { needle }),
    }));
}

export function hashOfRows(rows: readonly QuietText[]): string {
  const hash = createHash("sha256");
  for (const { text, user, label, needle } of rows) {
    hash.update(JSON.stringify([text, user, label, needle ?? null]));
  }
  return hash.digest("hex");
}

/** The clues of each sentence of a row that names a deed; of an attack whose place is known only its own. */
export function cluesOf(row: QuietText, clues: Clues, areForeign = false): Int32Array[] {
  const context = new QuietContext(clues.sentences);
  if (row.user !== null) context.add(Buffer.from(row.user));
  const utf8 = Buffer.from(row.text).subarray(0, injectionTextBytesMax);
  if (!clues.read(utf8)) return [];
  const place = placeOf(row);
  const found: Int32Array[] = [];
  for (let index = 0; index < clues.sentences.count; index++) {
    const end = clues.sentences.ends[index] ?? 0;
    const start = index === 0 ? 0 : (clues.sentences.ends[index - 1] ?? 0);
    if (start >= place.to || end <= place.from) continue;
    if (clues.ofSentence(index, context, areForeign)) found.push(clues.found.slice(0, clues.count));
  }
  return found;
}

/** Where the attack stands, bytes. */
function placeOf({ text, needle }: QuietText): { from: number; to: number } {
  const at = needle === undefined ? -1 : text.indexOf(needle);
  if (needle === undefined || at < 0) return { from: 0, to: Infinity };
  const from = Buffer.byteLength(text.slice(0, at));
  return { from, to: from + Buffer.byteLength(needle) };
}
