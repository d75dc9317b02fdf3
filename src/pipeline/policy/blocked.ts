import { refuse } from "../../contract/errors.ts";
import type { Refused } from "../../contract/outcome.ts";

/** A request that the policy stops. `why` is prose, and never quotes what was found. */
export function blocked(why: string): Refused {
  return refuse("security_blocked", `The request was blocked by the security policy: ${why}.`, {
    details: { type: "permission_error" },
  });
}

/** An answer that the policy stops. */
export function answerBlocked(why: string): Refused {
  return refuse("security_blocked", `The answer was blocked by the security policy: ${why}.`, {
    details: { type: "permission_error" },
  });
}
