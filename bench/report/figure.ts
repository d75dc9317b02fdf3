/** One quantity of the report, measured once in each of the interleaved rounds. */
export interface Figure {
  /**
   * The id, such as `micro/json/scan/1KB`. It is stable over versions, because reports are compared
   * by it.
   */
  readonly id: string;
  /** The heading it stands under. */
  readonly group: string;
  readonly label: string;
  /**
   * The measured subject: `weir`, or a peer's name. Figures with the same label stand side by side.
   */
  readonly subject: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
  /** Values in `unit`, one for each round, in order. At least one. */
  readonly rounds: readonly number[];
  /** A note that a reader needs to understand the number. */
  readonly note?: string;
}

/** One goal of Weir. */
export interface Goal {
  /** The id of its figure, or an id of its own if it is computed from several figures. */
  readonly figure: string;
  readonly label: string;
  /** The side of `mustReach` on which the goal is reached. */
  readonly better: Figure["better"];
  readonly mustReach: number;
  readonly aim: number | null;
  readonly unit: string;
  /** Null if the run has not measured the needed figures. */
  readonly value: (figures: readonly Figure[]) => number | null;
}
