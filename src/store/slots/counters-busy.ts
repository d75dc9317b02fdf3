import { refuse } from "../../contract/errors.ts";

/**
 * A request that can't be counted is not admitted. The reason is that another thread has stopped
 * while it makes a counter, or that other threads were faster at every try.
 */
export const countersBusy = refuse(
  "detector_unavailable",
  "The gateway could not count this request just now; nothing was charged.",
  { retryAfterSeconds: 1 },
);
