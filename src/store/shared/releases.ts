/** Whether a release, such as 1.2.3, came before another one. What follows the three numbers does not count. */
export function isOlderRelease(release: string, than: string): boolean {
  const [mine, theirs] = [numbersOf(release), numbersOf(than)];
  const at = mine.findIndex((number, i) => number !== theirs[i]);
  return at >= 0 && (mine[at] ?? 0) < (theirs[at] ?? 0);
}

function numbersOf(release: string): readonly number[] {
  const [numbers = ""] = release.split(/[-+]/);
  return [0, 1, 2].map((at) => Number(numbers.split(".")[at] ?? 0));
}

/** For the operator. */
export function tooOld(release: string, oldest: string): string {
  return `this gateway is of release ${release}, and the database is of gateways from ${oldest} on: it takes no requests; replace it by a newer one`;
}
