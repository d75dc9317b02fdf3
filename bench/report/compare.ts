import type { Figure } from "./figure.ts";
import { leastChance, median, rankDifferenceChance } from "./statistics.ts";

/**
 * - `better`, `worse`: more than the noise of the rounds explains.
 * - `perhaps better`, `perhaps worse`: too few rounds to be sure, but each of them says so.
 */
export type Verdict = "better" | "worse" | "perhaps better" | "perhaps worse" | "same";

export interface Change {
  readonly figure: Figure;
  readonly before: Figure;
  /** The change of the medians: 0.2 is a fifth more. Infinite if the median was 0. */
  readonly shift: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  /** In the order of the new figures. */
  readonly changes: readonly Change[];
  /** Ids that only one of the two runs has. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A smaller shift of the medians is no change, even if it is certain. */
const shiftMin = 0.05;
/**
 * The highest probability that noise alone makes the ranks differ so much. Two sets of five rounds that do
 * not overlap have 0.008.
 */
const chanceMax = 0.01;

/** Compares figures with the same id, subject and unit. */
export function compare(before: readonly Figure[], after: readonly Figure[]): Comparison {
  const keyOf = ({ id, subject, unit }: Figure): string => JSON.stringify([id, subject, unit]);
  const old = new Map(before.map((figure) => [keyOf(figure), figure]));
  const now = new Set(after.map(keyOf));
  const known = (figure: Figure): Figure | undefined => old.get(keyOf(figure));
  return {
    changes: after.flatMap((figure) => {
      const was = known(figure);
      return was === undefined ? [] : [changeOf(was, figure)];
    }),
    added: after.filter((figure) => known(figure) === undefined).map(({ id }) => id),
    removed: before.filter((figure) => !now.has(keyOf(figure))).map(({ id }) => id),
  };
}

function changeOf(before: Figure, figure: Figure): Change {
  const [was, is] = [median(before.rounds), median(figure.rounds)];
  const shift = is === was ? 0 : was === 0 ? Math.sign(is) * Infinity : (is - was) / Math.abs(was);
  return { figure, before, shift, verdict: verdictOf(before.rounds, figure, shift) };
}

function verdictOf(was: readonly number[], { rounds: is, better }: Figure, shift: number): Verdict {
  if (Math.abs(shift) < shiftMin) return "same";
  const direction = shift > 0 === (better === "higher") ? "better" : "worse";
  if (leastChance(was.length, is.length) > chanceMax) {
    return overlap(was, is) ? "same" : `perhaps ${direction}`;
  }
  return rankDifferenceChance(was, is) <= chanceMax ? direction : "same";
}

function overlap(a: readonly number[], b: readonly number[]): boolean {
  return Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a);
}
