import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface GoldSpan {
  readonly type: string;
  /** UTF-16 code units, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A row of an evaluation file. Its members depend on the file. */
export interface Row {
  readonly text: string;
  readonly spans?: readonly GoldSpan[];
  /** 1: the text has something to find; 0: it has nothing. */
  readonly label?: number;
  readonly rule?: string;
  /** A recognizer's unit case: the entity that it looks for, and how many it must find. */
  readonly entity?: string | null;
  readonly count?: number;
}

export type Half = "calibration" | "reporting" | "all";

/**
 * The half of the rows that a text belongs to, by its hash. One half is for tuning, the other for
 * reporting.
 */
export function halfOf(text: string): Exclude<Half, "all"> {
  return createHash("sha256").update(text).digest().readUInt8(0) % 2 === 0
    ? "calibration"
    : "reporting";
}

/** The rows of `<folder>/<name>.jsonl.gz` in one half; null if there is no such file. */
export function readRows(folder: string, name: string, half: Half): readonly Row[] | null {
  const path = join(folder, `${name}.jsonl.gz`);
  if (!existsSync(path)) return null;
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trim().split("\n");
  // The files are this evaluation's own format.
  const rows = lines.map((line) => JSON.parse(line) as Row);
  return half === "all" ? rows : rows.filter(({ text }) => halfOf(text) === half);
}
