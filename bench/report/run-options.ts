/** What both parts of the bench are told. */
export interface RunOptions {
  /** Fewer and shorter rounds: to see that everything runs, not to compare. */
  readonly quick: boolean;
  /** Beginnings of figure ids; empty: all of them. */
  readonly only: readonly string[];
  /** Told what is being measured. */
  readonly progress: (what: string) => void;
}

/** True where figures whose ids begin with `prefix` are asked for. */
export function isAsked(only: readonly string[], prefix: string): boolean {
  return (
    only.length === 0 || only.some((each) => prefix.startsWith(each) || each.startsWith(prefix))
  );
}

/** Told where what was asked for is nothing that the bench measures. */
export const noFigure = "No figure has an id that begins so.";
