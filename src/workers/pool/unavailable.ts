import { refuse } from "../../contract/errors.ts";
import type { Outcome } from "../../contract/outcome.ts";

/** No verdict came of it, and one may at another try. */
export function unavailable(message: string): Outcome<never> {
  return refuse("detector_unavailable", message, { retryAfterSeconds: 1 });
}
