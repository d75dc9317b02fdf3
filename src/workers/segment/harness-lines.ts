import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * The lines by client. The file lies beside the sources. The path is right from src/ and from
 * dist/, because both lie in the project's root.
 */
export const harnessLinesFile = new URL(
  "../../../src/workers/segment/harness-lines.json",
  import.meta.url,
);

/**
 * Lines that coding agents put into the user role word for word. The words belong to the agents'
 * makers, so the file has only digests: the line's length in UTF-16 units, and the first 96 bits of its
 * SHA-256. `npm run record:agents` writes it.
 */
const digests = new Set(
  Object.values(
    JSON.parse(readFileSync(harnessLinesFile, "utf8")) as Record<string, string[]>,
  ).flat(),
);
/** The length alone excludes nearly all lines, without a hash. */
const lengths = new Set([...digests].map((digest) => Number.parseInt(digest, 10)));

/** Whether a trimmed line is one that a harness always writes, without text of anyone else. */
export function isHarnessLine(line: string): boolean {
  const plain = withoutPath(line);
  return lengths.has(plain.length) && digests.has(digestOf(plain));
}

/** The digest of a trimmed line. Paths in the line do not change it. */
export function digestOfLine(line: string): string {
  return digestOf(withoutPath(line));
}

function digestOf(plain: string): string {
  return `${plain.length}:${hash("sha256", plain, "hex").slice(0, 24)}`;
}

/** `Contents of /home/ada/CLAUDE.md (…)` is one line, wherever the file is. A path is one word. */
function withoutPath(line: string): string {
  return line.includes(" /") ? line.replace(/ \/[^\s()]{0,256}/, " /") : line;
}
