import type { Figure } from "../report/figure.ts";

/** How long one piece is warmed up, and then measured, in one round. */
export interface Times {
  readonly warmupMs: number;
  readonly measuredMs: number;
}

/** One figure of a suite: how it is measured once. */
export interface Piece extends Pick<Figure, "label" | "unit" | "better" | "note"> {
  /** Behind the suite's in the figure's id. */
  readonly id: string;
  /** `weir` if not said. */
  readonly subject?: string;
  /** The figure's value in one round, in its unit. */
  readonly measure: (times: Times) => Promise<number>;
}

export interface OpenSuite {
  readonly pieces: readonly Piece[];
  readonly close?: () => Promise<void> | void;
}

/** Pieces that share what they need. */
export interface Suite {
  readonly id: string;
  /** The heading of its figures. */
  readonly group: string;
  readonly open: () => OpenSuite | Promise<OpenSuite>;
}
