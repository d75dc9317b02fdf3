/** One quantity of the report, measured once in each of the interleaved rounds. */
export interface Figure {
  /** Stable over versions, for reports are compared by it: `micro/json/scan/1KB`. */
  readonly id: string;
  /** The heading it stands under. */
  readonly group: string;
  readonly label: string;
  /** Who was measured: `weir`, or a peer's name. Figures with one label stand side by side. */
  readonly subject: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
  /** In `unit`, one a round, in the order of the rounds. At least one. */
  readonly rounds: readonly number[];
  /** What a reader must know to read the number right. */
  readonly note?: string;
}

/** One line of what Weir must reach. */
export interface Goal {
  /** The id of the figure it speaks of, or one of its own where it is worked out of several. */
  readonly figure: string;
  readonly label: string;
  /** On which side of `mustReach` it is reached. */
  readonly better: Figure["better"];
  readonly mustReach: number;
  readonly aim: number | null;
  readonly unit: string;
  /** Null where the run has not measured what it takes. */
  readonly value: (figures: readonly Figure[]) => number | null;
}
