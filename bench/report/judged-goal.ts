import type { Figure, Goal } from "./figure.ts";

export type Reached = "aim" | "must" | "no" | "not measured";

/** A goal with its result in this run, as plain data for the report's file. */
export interface JudgedGoal extends Omit<Goal, "value"> {
  readonly value: number | null;
  readonly reached: Reached;
}

export function judged(goals: readonly Goal[], figures: readonly Figure[]): readonly JudgedGoal[] {
  return goals.map(({ value: valueOf, ...goal }) => {
    const value = valueOf(figures);
    return { ...goal, value, reached: reachedBy(goal, value) };
  });
}

function reachedBy(
  { mustReach, aim, better }: Pick<Goal, "mustReach" | "aim" | "better">,
  value: number | null,
): Reached {
  if (value === null || Number.isNaN(value)) return "not measured";
  const reaches = (bound: number): boolean =>
    better === "lower" ? value <= bound : value >= bound;
  if (!reaches(mustReach)) return "no";
  return aim !== null && reaches(aim) ? "aim" : "must";
}
