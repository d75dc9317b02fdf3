/** A scored text. */
export interface Scored {
  readonly score: number;
  readonly label: 0 | 1;
}

/** The chance that an attack scores above an honest text; ties count half. */
export function areaUnderCurve(rows: readonly Scored[]): number {
  const sorted = [...rows].sort((a, b) => a.score - b.score);
  let rankSum = 0;
  let attacks = 0;
  for (let at = 0; at < sorted.length;) {
    let end = at;
    while (end < sorted.length && sorted[end]?.score === sorted[at]?.score) end++;
    const rank = (at + 1 + end) / 2;
    for (let i = at; i < end; i++) {
      if (sorted[i]?.label !== 1) continue;
      rankSum += rank;
      attacks++;
    }
    at = end;
  }
  const honest = rows.length - attacks;
  return (rankSum - (attacks * (attacks + 1)) / 2) / (attacks * honest);
}

/** The lowest score at or above which at most a share of honest texts lies. */
export function thresholdAt(honest: readonly number[], share: number): number {
  const sorted = [...honest].sort((a, b) => b - a);
  const allowed = Math.floor(share * sorted.length);
  const highest = sorted[allowed];
  return highest === undefined ? -Infinity : nextUp(highest);
}

/** The next larger number, so that the honest text at the border does not count. */
function nextUp(value: number): number {
  return value + Math.max(1e-9, Math.abs(value) * 1e-9);
}

export interface Share {
  readonly hits: number;
  readonly of: number;
}

export function shareAbove(scores: readonly number[], threshold: number): Share {
  return { hits: scores.filter((score) => score >= threshold).length, of: scores.length };
}

/** 95 % interval of a share after Wilson. */
export function wilson({ hits, of }: Share): { low: number; high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const p = hits / of;
  const middle = p + (z * z) / (2 * of);
  const reach = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return { low: (middle - reach) / scale, high: (middle + reach) / scale };
}
