import type { Outcome } from "../../src/contract/outcome.ts";

/** The value of what can't be refused here; throws if it is. */
export function accepted<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}
