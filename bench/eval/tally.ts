/** Hits, misses and false alarms of one kind. */
export class Tally {
  truePositives = 0;
  falsePositives = 0;
  falseNegatives = 0;

  get precision(): number {
    return share(this.truePositives, this.truePositives + this.falsePositives);
  }

  get recall(): number {
    return share(this.truePositives, this.truePositives + this.falseNegatives);
  }

  get f1(): number {
    const { precision, recall } = this;
    return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  }

  add({ truePositives, falsePositives, falseNegatives }: Tally): void {
    this.truePositives += truePositives;
    this.falsePositives += falsePositives;
    this.falseNegatives += falseNegatives;
  }

  /** `precision [95 % interval] recall [95 % interval] f1`. */
  toString(): string {
    const { truePositives: hits } = this;
    const precision = interval(hits, hits + this.falsePositives);
    const recall = interval(hits, hits + this.falseNegatives);
    return `P ${precision}  R ${recall}  F1 ${this.f1.toFixed(3)}`;
  }
}

interface Spanned {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export type Matching = "exact" | "overlap";

/**
 * Compares one text's findings with its labels, by type. `overlap`: at least one unit in common, so
 * one found address counts for the street and the city in it. `exact`: the same ends.
 */
export function count(
  gold: readonly Spanned[],
  found: readonly Spanned[],
  matching: Matching,
  tallies: Map<string, Tally>,
): void {
  for (const wanted of gold) {
    const isFound = found.some((span) => agrees(span, wanted, matching));
    if (isFound) tallyOf(tallies, wanted.type).truePositives += 1;
    else tallyOf(tallies, wanted.type).falseNegatives += 1;
  }
  for (const span of found) {
    const isRight = gold.some((wanted) => agrees(span, wanted, matching));
    if (!isRight) tallyOf(tallies, span.type).falsePositives += 1;
  }
}

function agrees(found: Spanned, gold: Spanned, matching: Matching): boolean {
  if (found.type !== gold.type) return false;
  return matching === "exact"
    ? found.start === gold.start && found.end === gold.end
    : found.start < gold.end && gold.start < found.end;
}

export function tallyOf(tallies: Map<string, Tally>, type: string): Tally {
  const known = tallies.get(type);
  if (known !== undefined) return known;
  const tally = new Tally();
  tallies.set(type, tally);
  return tally;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** A share with its Wilson interval at 95 %. */
export function interval(part: number, whole: number): string {
  if (whole === 0) return "  -  ";
  const z = 1.96;
  const p = part / whole;
  const denominator = 1 + (z * z) / whole;
  const centre = (p + (z * z) / (2 * whole)) / denominator;
  const half = (z * Math.sqrt((p * (1 - p)) / whole + (z * z) / (4 * whole * whole))) / denominator;
  const [low, high] = [Math.max(0, centre - half), Math.min(1, centre + half)];
  return `${p.toFixed(3)} [${low.toFixed(3)}–${high.toFixed(3)}]`;
}
