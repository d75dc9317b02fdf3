/** How often an attack strikes. */
export interface Attack {
  /** Rounds that are always played: all of them under `npm test`. */
  readonly roundsMin: number;
  /** Rounds after which it ends at any rate. */
  readonly roundsMax: number;
  /** Of the minutes of `npm run test:long`: how much of them it may take for more than `roundsMin`. */
  readonly share: number;
}

/** Of `npm run test:long -- --minutes N`; 0 under `npm test`. */
export const longRunMinutes = Number(process.env["WEIR_TEST_MINUTES"] ?? 0);
/** When the long run is to be over, in milliseconds since 1970. */
const longRunEndsAtMs = Number(process.env["WEIR_TEST_ENDS_AT_MS"] ?? 0);

/** Counts an attack's rounds from 1 on. Ends by time, so that a slow machine plays fewer of them. */
export function* rounds({ roundsMin, roundsMax, share }: Attack): Generator<number> {
  const endsAtMs = Math.min(Date.now() + share * longRunMinutes * 60_000, longRunEndsAtMs);
  for (let round = 1; round <= roundsMax; round += 1) {
    if (round > roundsMin && Date.now() >= endsAtMs) return;
    yield round;
  }
}

/** A test's timeout: its attack's time, and what its other work may take on a machine under load. */
export function attackTimeoutMs({ roundsMin, share }: Attack, roundMsMax: number): number {
  return 60_000 + share * longRunMinutes * 60_000 + (roundsMin + 1) * roundMsMax;
}
