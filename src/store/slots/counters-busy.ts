import { refuse } from "../../contract/errors.ts";

/**
 * What can't be counted is not admitted: another thread stands still where new counters are made, or was
 * quicker every time.
 */
export const countersBusy = refuse(
  "detector_unavailable",
  "The gateway could not count this request just now; nothing was charged.",
  { retryAfterSeconds: 1 },
);
