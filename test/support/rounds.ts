/** The number of rounds of an attack. */
export interface Attack {
  /** The rounds that always run. Under `npm test` no others run. */
  readonly roundsMin: number;
  /** The most rounds. */
  readonly roundsMax: number;
  /** The share of the minutes of `npm run test:long` that the rounds beyond `roundsMin` may take. */
  readonly share: number;
}

/** The minutes of `npm run test:long -- --minutes N`; 0 under `npm test`. */
export const longRunMinutes = Number(process.env["WEIR_TEST_MINUTES"] ?? 0);
/** The planned end of the long run, in milliseconds since 1970. */
const longRunEndsAtMs = Number(process.env["WEIR_TEST_ENDS_AT_MS"] ?? 0);

/** Counts an attack's rounds from 1 on. It ends by time, so a slow machine runs fewer rounds. */
export function* rounds({ roundsMin, roundsMax, share }: Attack): Generator<number> {
  const endsAtMs = Math.min(Date.now() + share * longRunMinutes * 60_000, longRunEndsAtMs);
  for (let round = 1; round <= roundsMax; round += 1) {
    if (round > roundsMin && Date.now() >= endsAtMs) return;
    yield round;
  }
}

/**
 * A test's timeout: the time of its attack, and the time of its other work on a machine under load.
 */
export function attackTimeoutMs({ roundsMin, share }: Attack, roundMsMax: number): number {
  return 60_000 + share * longRunMinutes * 60_000 + (roundsMin + 1) * roundMsMax;
}
