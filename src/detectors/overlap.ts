import type { EntityCategory, EntityMatch } from "./entity.ts";

/**
 * The matches of which none overlaps another, by `start`. Where some overlap, the one stays that is
 * first by this order, whatever the order they came in:
 *
 * 1. the surer class: a score of at least 0.8, of at least 0.5, below;
 * 2. the longer, for it covers what the other would leave unredacted;
 * 3. the higher score;
 * 4. credential, then phi, then pii;
 * 5. the entity type's name, then the earlier.
 *
 * One that overlaps only matches that have themselves lost stays.
 */
export function withoutOverlaps(matches: readonly EntityMatch[]): readonly EntityMatch[] {
  const kept: EntityMatch[] = [];
  for (const match of matches.toSorted(byPreference)) {
    const place = placeOf(match, kept);
    const before = kept[place - 1];
    const after = kept[place];
    if (before && before.end > match.start) continue;
    if (after && after.start < match.end) continue;
    kept.splice(place, 0, match);
  }
  return kept;
}

/** Where in `kept`, which is sorted by `start`, a match belongs. */
function placeOf({ start }: EntityMatch, kept: readonly EntityMatch[]): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.start ?? start) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

const categoryRank: Readonly<Record<EntityCategory, number>> = { credential: 0, phi: 1, pii: 2 };

function byPreference(a: EntityMatch, b: EntityMatch): number {
  return (
    sureness(b.score) - sureness(a.score) ||
    b.end - b.start - (a.end - a.start) ||
    b.score - a.score ||
    categoryRank[a.detector.category] - categoryRank[b.detector.category] ||
    byName(a.detector.entityType, b.detector.entityType) ||
    a.start - b.start
  );
}

function sureness(score: number): number {
  return score >= 0.8 ? 2 : score >= 0.5 ? 1 : 0;
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
