/** An event of the log in its canonical form. */
export interface LoggedLine {
  readonly index: number;
  readonly line: string;
}

/** The log that a read model follows. */
export interface LogSource {
  /** Events so far. */
  readonly size: number;
  /**
   * Neighbouring events from `first` on, in their order: at least one if there are any, and no more than about
   * `most`. Throws if the log can't be read.
   */
  read(first: number, most: number): readonly LoggedLine[];
}
