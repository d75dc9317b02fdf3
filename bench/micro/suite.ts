import type { Figure } from "../report/figure.ts";

/** How long one piece is warmed up, and then measured, in one round. */
export interface Times {
  readonly warmupMs: number;
  readonly measuredMs: number;
}

/** One figure of a suite, and the function that measures it once. */
export interface Piece extends Pick<Figure, "label" | "unit" | "better" | "note"> {
  /** The part of the figure's id after the suite's id. */
  readonly id: string;
  /** Default: `weir`. */
  readonly subject?: string;
  /** The figure's value in one round, in its unit. */
  readonly measure: (times: Times) => Promise<number>;
}

export interface OpenSuite {
  readonly pieces: readonly Piece[];
  readonly close?: () => Promise<void> | void;
}

/** Pieces that share their set-up. */
export interface Suite {
  readonly id: string;
  /** The heading of its figures. */
  readonly group: string;
  readonly open: () => OpenSuite | Promise<OpenSuite>;
}
