import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withoutDuplicates } from "../../../training/injection/duplicates.ts";
import {
  readCorpus,
  readHeldOut,
  readQuiet,
  type QuietRow,
} from "../../../training/injection/rows.ts";

const folder = new URL("../../../training/corpus/quiet/", import.meta.url);
const rows = readQuiet("corpus");
const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
const fields = "id,kind,label,lang,licence,pair,role,text,tool,user".split(",");

/** Equal for texts that differ in case, spaces and punctuation only. */
function normalizedHash(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");
  return createHash("sha256").update(letters.trim()).digest("hex");
}

function situation({ pair, kind, lang }: QuietRow): string {
  return JSON.stringify([pair, kind, lang]);
}

test("there is something to read, of other kinds than what is kept to measure with", () => {
  expect(kinds).toHaveLength(10);
  const kept = new Set(readQuiet("held-out").map(({ kind }) => kind));
  expect(kept.size).toBe(10);
  expect(kinds.filter((kind) => kept.has(kind))).toEqual([]);
});

describe.each(kinds)("%s", (kind) => {
  const own = rows.filter((row) => row.kind === kind);
  const ofRole = (role: QuietRow["role"]) => own.filter((row) => row.role === role);

  test("has 40 attacks, 40 twins and 300 honest texts", () => {
    expect(ofRole("attack")).toHaveLength(40);
    expect(ofRole("twin")).toHaveLength(40);
    expect(ofRole("honest")).toHaveLength(300);
  });

  test("an attack and its twin are of one situation", () => {
    expect(ofRole("twin").map(situation)).toEqual(ofRole("attack").map(situation));
    expect(ofRole("honest").every(({ pair }) => pair === null)).toBe(true);
  });

  test("is of several languages", () => {
    expect(new Set(ofRole("attack").map(({ lang }) => lang)).size).toBe(7);
    expect(new Set(ofRole("honest").map(({ lang }) => lang)).size).toBe(7);
  });

  test("does not nearly repeat a text of the same label", () => {
    for (const role of ["attack", "twin", "honest"] as const) {
      expect(withoutDuplicates(ofRole(role), 0.9)).toHaveLength(ofRole(role).length);
    }
  });
});

test("each row has the fields, a label that fits its role, and all slots filled", () => {
  for (const line of rowLines()) {
    const row = JSON.parse(line) as QuietRow;
    expect(Object.keys(row).sort()).toEqual(fields);
    expect(row.label).toBe(row.role === "attack" ? 1 : 0);
    expect(row.licence).toBe("Apache-2.0");
    expect(row.user).not.toBe("");
    expect(row.tool).not.toBe("");
    expect(`${row.user} ${row.text}`).not.toMatch(/\{\{\w|\[\[|@@\s/);
    const isEastern = row.lang === "ja" || row.lang === "zh";
    const charactersMin = row.role === "honest" || isEastern ? 150 : 300;
    expect(row.text.length).toBeGreaterThanOrEqual(charactersMin);
    expect(row.text.length).toBeLessThanOrEqual(4_000);
  }
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test("no text is one that is kept to measure with, or one of the corpus beside it", () => {
  const others = new Set(
    [...readHeldOut(), ...readCorpus()].map(({ text }) => normalizedHash(text)),
  );
  const own = rows.map(({ text }) => normalizedHash(text));
  expect(new Set(own).size).toBe(own.length);
  expect(own.filter((hash) => others.has(hash))).toHaveLength(0);
});

test("SHA256SUMS fits the files", () => {
  for (const line of sumLines()) {
    const [sum = "", file = ""] = line.split("  ");
    const bytes = readFileSync(new URL(file, folder));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sum);
  }
  expect(sumLines()).toHaveLength(kinds.length * 3);
});

function sumLines(): string[] {
  return readFileSync(new URL("SHA256SUMS", folder), "utf8").trimEnd().split("\n");
}

function rowLines(): string[] {
  return sumLines().flatMap((line) => {
    const file = line.split("  ")[1] ?? "";
    return readFileSync(new URL(file, folder), "utf8").trimEnd().split("\n");
  });
}
