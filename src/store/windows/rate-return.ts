/** Units of a rate limit, by the name that the shared store has for it. */
export interface RateUnits {
  readonly id: string;
  readonly units: number;
}

/** Only for the shared store: units of shares that this gateway does not use. They must be gone from memory before. */
export interface RateReturnOperation {
  readonly kind: "rateReturn";
  /** Of the shares: those of another epoch are gone. */
  readonly epoch: number;
  readonly returns: readonly RateUnits[];
}
