import type { Row } from "./rows.ts";

const shingleWords = 3;
/** The smallest hashes of a text's shingles, by which candidates are found. */
const bands = 12;

/**
 * All rows but those that nearly repeat an earlier one of the same label and segment: from a share
 * `similarityMin` of common shingles on (Jaccard).
 */
export function withoutDuplicates<R extends Pick<Row, "text" | "label" | "segment">>(
  rows: readonly R[],
  similarityMin = 0.8,
): R[] {
  const seen = new Map<string, Set<number>[]>();
  return rows.filter(({ text, label, segment }) => {
    const shingles = shinglesOf(text);
    const keys = bandsOf(shingles).map((band) => `${label}${segment}${band}`);
    const isRepeat = keys.some((key) =>
      (seen.get(key) ?? []).some((other) => similarity(shingles, other) >= similarityMin),
    );
    if (isRepeat) return false;
    for (const key of keys) {
      const others = seen.get(key);
      if (others === undefined) seen.set(key, [shingles]);
      // A band that hundreds share says nothing.
      else if (others.length < 64) others.push(shingles);
    }
    return true;
  });
}

function shinglesOf(text: string): Set<number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const parts = words.length > shingleWords ? words : [...text.toLowerCase()];
  const found = new Set<number>();
  for (let at = 0; at + shingleWords <= parts.length; at++) {
    found.add(hashOf(parts.slice(at, at + shingleWords).join(" ")));
  }
  if (found.size === 0) found.add(hashOf(parts.join(" ")));
  return found;
}

/** MinHash: of each of a few orders the first shingle; near-duplicates share most of them. */
function bandsOf(shingles: ReadonlySet<number>): string[] {
  return Array.from({ length: bands }, (_, band) => {
    let least = Infinity;
    for (const shingle of shingles) {
      const mixed = Math.imul(shingle ^ Math.imul(band + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
      if (mixed < least) least = mixed;
    }
    return `${band}:${least}`;
  });
}

function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0;
  for (const shingle of a) if (b.has(shingle)) common++;
  return common / (a.size + b.size - common);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}
