/** The options of both parts of the bench. */
export interface RunOptions {
  /** Fewer and shorter rounds. They show that everything runs, and are not for comparisons. */
  readonly quick: boolean;
  /** Beginnings of figure ids; empty: all of them. */
  readonly only: readonly string[];
  /** Called with a description of the current measurement. */
  readonly progress: (what: string) => void;
}

/** True if figures whose ids begin with `prefix` are requested. */
export function isAsked(only: readonly string[], prefix: string): boolean {
  return (
    only.length === 0 || only.some((each) => prefix.startsWith(each) || each.startsWith(prefix))
  );
}

/** The message if the bench measures none of the requested figures. */
export const noFigure = "No figure has an id that begins so.";
