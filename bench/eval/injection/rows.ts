import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Segment } from "../../../src/contract/scan.ts";

/** A labelled text. `core: false` keeps a source out of the headline figures. */
export interface InjectionRow {
  readonly text: string;
  readonly label: 0 | 1;
  readonly segment: Segment;
  readonly source: string;
  readonly lang?: string;
  readonly core?: boolean;
  /** The attack inside an otherwise honest text. */
  readonly needle?: string;
}

type FileRow = Pick<InjectionRow, "text"> &
  Partial<Omit<InjectionRow, "segment">> & { readonly segment?: Segment | "system" };

/**
 * Rows of a JSONL file, gzipped or not. `segment` and `source` may be missing in an operator's own
 * file.
 */
export function readInjectionRows(file: string): InjectionRow[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      // The format of these files is this evaluation's own.
      const row = JSON.parse(line) as FileRow;
      const isScanned = row.segment !== "system";
      const segment = row.segment === "tool" ? "tool" : "user";
      const { source = "own", label = 0 } = row;
      return { ...row, segment, source, label, core: isScanned && row.core !== false };
    });
}
