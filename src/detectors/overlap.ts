import type { EntityMatch } from "./entity.ts";

/**
 * Matches that do not overlap each other, sorted by `start`. Of several that overlap, the first by this
 * order stays. The order of the input does not matter.
 *
 * 1. the surer class: a score of at least 0.8, of at least 0.5, or lower. A place without an address
 *    that confirms it is never in the first class, because a word beside a number looks like a place;
 * 2. a credential, because a token says more than the URL that contains it;
 * 3. the longer one, because it covers what the other would leave unredacted;
 * 4. the higher score;
 * 5. phi, then pii;
 * 6. the entity type's name, then the label's, then the earlier.
 *
 * A match also stays if all matches that it overlaps have themselves lost.
 */
export function withoutOverlaps(matches: readonly EntityMatch[]): readonly EntityMatch[] {
  if (matches.length < 2) return matches;
  const length = matches.reduce((longest, { end }) => Math.max(longest, end), 0);
  const addresses = new Uint8Array(length);
  for (const { detector, start, end } of matches) {
    if (addressTypes.has(detector.entityType)) addresses.fill(1, start, end);
  }
  const taken = new Uint8Array(length);
  const kept = matches
    .map((match) => ({ match, sureness: surenessOf(match, addresses) }))
    .sort((a, b) => b.sureness - a.sureness || byPreference(a.match, b.match))
    .map(({ match }) => match)
    .filter(({ start, end }) => {
      if (taken.subarray(start, end).includes(1)) return false;
      taken.fill(1, start, end);
      return true;
    });
  return kept.sort((a, b) => a.start - b.start);
}

/** Within one class. */
function byPreference(a: EntityMatch, b: EntityMatch): number {
  return (
    Number(isCredential(b)) - Number(isCredential(a)) ||
    b.end - b.start - (a.end - a.start) ||
    b.score - a.score ||
    byName(a.detector.category, b.detector.category) ||
    byName(a.detector.entityType, b.detector.entityType) ||
    byName(a.detector.label, b.detector.label) ||
    a.start - b.start
  );
}

function isCredential({ detector }: EntityMatch): boolean {
  return detector.category === "credential";
}

const addressTypes: ReadonlySet<string> = new Set([
  "STREET_ADDRESS",
  "ZIP_CODE",
  "UK_POSTCODE",
  "DE_PLZ",
]);

function surenessOf({ detector, start, end, score }: EntityMatch, addresses: Uint8Array): number {
  if (score < 0.8) return score >= 0.5 ? 1 : 0;
  const isGuess = detector.entityType === "LOCATION" && !addresses.subarray(start, end).includes(1);
  return isGuess ? 1 : 2;
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
