import { refuse } from "../../contract/errors.ts";
import type { Outcome } from "../../contract/outcome.ts";

/** The refusal if there is no verdict, but another try may give one. */
export function unavailable(message: string): Outcome<never> {
  return refuse("detector_unavailable", message, { retryAfterSeconds: 1 });
}
