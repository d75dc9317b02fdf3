import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Segment } from "../../src/contract/scan.ts";
import { templatesText } from "./templates.ts";
import type { WordVectors } from "./word-vectors.ts";

/** A labelled text. */
export interface Row {
  readonly text: string;
  /** 1: an attack. */
  readonly label: 0 | 1;
  readonly source: string;
  readonly segment: Segment;
  readonly lang: string;
  /** The attack in a text that is honest but for it. */
  readonly needle?: string;
  /** Whether weights that are shipped may be derived from it. */
  readonly ship: boolean;
  /** What it counts beside other rows of its source; 1 where it is not given. */
  readonly weight?: number;
  /** What the text is part of: texts of one group are seen together or not at all. */
  readonly group?: string;
}

/** A row of `quiet/`. An attack and its twin have the same pair and the same request. */
export interface QuietRow extends Row {
  readonly id: string;
  readonly kind: string;
  readonly role: "attack" | "twin" | "honest";
  readonly pair: number | null;
  readonly tool: string;
  /** What the user asked the agent for. */
  readonly user: string;
  readonly licence: string;
}

/** An agent's honest session; its texts count as one request. */
export interface Session {
  readonly id: string;
  readonly leaves: readonly { readonly segment: Segment; readonly text: string }[];
}

const corpusFolder = new URL("../corpus/", import.meta.url);
const heldOutFolder = new URL("../held-out/", import.meta.url);

/** Rows of `<folder>/prompt_injection.jsonl.gz`. */
export function readData(folder: string): Row[] {
  const lines = gunzipSync(readFileSync(join(folder, "prompt_injection.jsonl.gz")));
  return parseLines<Row>(lines.toString("utf8"));
}

/** Our own corpus; its source is the family, so that figures are told apart. */
export function readCorpus(): Row[] {
  interface CorpusRow extends Row {
    readonly family: string;
  }
  return corpusFiles(corpusFolder).flatMap((file) =>
    parseLines<CorpusRow>(readFileSync(file, "utf8")).map((row) => ({
      ...row,
      source: `own_${row.label === 1 ? "attack" : "honest"}_${row.family}`,
      ship: true,
    })),
  );
}

/** Rows of our own that no training reads, to measure with; its source is the kind, as files are named. */
export function readHeldOut(): Row[] {
  const rows = corpusFiles(heldOutFolder).flatMap((file) => {
    const source = basename(file.pathname).replace(/-\d+\.jsonl$/, "");
    return parseLines<Row>(readFileSync(file, "utf8")).map((row) => ({ ...row, source }));
  });
  return [...rows, ...readQuiet("held-out")];
}

/** Instructions hidden in what a tool returned, their honest twins, and honest texts of the same kinds. */
export function readQuiet(part: "corpus" | "held-out"): QuietRow[] {
  const folder = part === "corpus" ? corpusFolder : heldOutFolder;
  return corpusFiles(new URL("quiet/", folder)).flatMap((file) =>
    parseLines<QuietRow>(readFileSync(file, "utf8")).map((row) => ({
      ...row,
      source: `quiet-${row.role}`,
      segment: "tool",
      ship: true,
    })),
  );
}

export function readSessions(): Session[] {
  const folder = new URL("sessions/", corpusFolder);
  return corpusFiles(folder).flatMap((file) => parseLines<Session>(readFileSync(file, "utf8")));
}

/** The texts of the sessions, each an honest row. */
export function rowsOfSessions(sessions: readonly Session[]): Row[] {
  return sessions.flatMap(({ id, leaves }) =>
    leaves.map(({ segment, text }) => ({
      text,
      segment,
      label: 0 as const,
      source: "own_honest_session",
      lang: "en",
      ship: true,
      group: id,
    })),
  );
}

function corpusFiles(folder: URL): URL[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .map((name) => new URL(name, folder));
  } catch {
    return [];
  }
}

/** The files are of these projects' own formats; a last line that is being written is left out. */
function parseLines<T>(text: string): T[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as T];
    } catch {
      return [];
    }
  });
}

/** SHA-256 over all rows, in order, what their weights follow from, the templates and word vectors. */
export function hashOfInputs(rows: readonly Row[], vectors: WordVectors): string {
  const hash = createHash("sha256").update(vectors.hash).update(templatesText());
  for (const { text, label, segment, needle, source, weight } of rows) {
    hash.update(JSON.stringify([text, label, segment, needle ?? null, source, weight ?? 1]));
  }
  return hash.digest("hex");
}
