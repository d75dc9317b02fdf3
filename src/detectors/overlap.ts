import type { EntityMatch } from "./entity.ts";

/**
 * The matches of which none overlaps another, by `start`. Where some overlap, the one stays that is
 * first by this order, whatever the order they came in:
 *
 * 1. the surer class: a score of at least 0.8, of at least 0.5, below;
 * 2. a credential: a token says more than the URL that it stands in;
 * 3. the longer, for it covers what the other would leave unredacted;
 * 4. the higher score;
 * 5. phi, then pii;
 * 6. the entity type's name, then the earlier.
 *
 * One that overlaps only matches that have themselves lost stays.
 */
export function withoutOverlaps(matches: readonly EntityMatch[]): readonly EntityMatch[] {
  if (matches.length < 2) return matches;
  const taken = new Uint8Array(matches.reduce((length, { end }) => Math.max(length, end), 0));
  const kept = matches.toSorted(byPreference).filter(({ start, end }) => {
    if (taken.subarray(start, end).includes(1)) return false;
    taken.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}

function byPreference(a: EntityMatch, b: EntityMatch): number {
  return (
    sureness(b.score) - sureness(a.score) ||
    Number(isCredential(b)) - Number(isCredential(a)) ||
    b.end - b.start - (a.end - a.start) ||
    b.score - a.score ||
    byName(a.detector.category, b.detector.category) ||
    byName(a.detector.entityType, b.detector.entityType) ||
    a.start - b.start
  );
}

function isCredential({ detector }: EntityMatch): boolean {
  return detector.category === "credential";
}

function sureness(score: number): number {
  return score >= 0.8 ? 2 : score >= 0.5 ? 1 : 0;
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
