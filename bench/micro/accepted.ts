import type { Outcome } from "../../src/contract/outcome.ts";

/** The value of an outcome that can't be a refusal here; throws if it is one. */
export function accepted<T>(outcome: Outcome<T> | Promise<Outcome<T>>): T {
  if (outcome instanceof Promise) throw new Error("something waits");
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}
