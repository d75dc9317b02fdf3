import { refuse } from "../../contract/errors.ts";
import type { Refused } from "../../contract/outcome.ts";
import type { InjectionResult, Sensitivity } from "../../contract/scan.ts";
import { operatingPoints } from "../../detectors/injection/verdict.ts";
import type { WorstLeaf } from "../../workers/pool/scan-job.ts";

/**
 * SDKs look at this header before the status. Some of them would send the request again after a 403, in vain.
 */
const finalHeaders = ["x-should-retry", "false"];

/** A request that the policy stops. `why` is prose and never quotes what was found. */
export function blocked(why: string): Refused {
  return refuse("security_blocked", `The request was blocked by the security policy: ${why}.`, {
    details: { type: "permission_error" },
    headers: finalHeaders,
  });
}

/**
 * A request that the policy stops because of a prompt injection. People read the message in clients that take
 * every 403 for a wrong key. So it says what was found, where, and what helps. Neither the message nor a
 * header quotes the text. `worst` is null if the score could not be computed.
 */
export function injectionBlocked(
  { score }: InjectionResult,
  worst: WorstLeaf | null,
  sensitivity: Sensitivity,
  requestId: string,
): Refused {
  if (worst === null || score === null) {
    return refuse(
      "security_blocked",
      `The security policy blocked request ${requestId}: its text could not be scored for prompt injection. ` +
        "Your credentials are fine: try again, and tell the operator if it happens again.",
      { details: { type: "permission_error" } },
    );
  }
  const point = operatingPoints[sensitivity].toFixed(2);
  const { subject, label } = worst;
  return refuse(
    "security_blocked",
    `The security policy blocked request ${requestId}: ${subject} (${label}) looks like a prompt injection, ` +
      `score ${score.toFixed(2)}, blocked from ${point} on. Your credentials are fine and a retry will not ` +
      "help: take that text out of the conversation (go back a step, or start a new one), or ask who runs " +
      "the gateway about the policy.",
    {
      details: {
        type: "permission_error",
        retryable: false,
        location: label,
        score,
        threshold: point,
      },
      headers: [
        ...finalHeaders,
        ...["X-Svc-Block-Location", label],
        ...["X-Svc-Block-Score", score.toFixed(2)],
      ],
    },
  );
}

/** An answer that the policy stops. */
export function answerBlocked(why: string): Refused {
  return refuse("security_blocked", `The answer was blocked by the security policy: ${why}.`, {
    details: { type: "permission_error" },
    headers: finalHeaders,
  });
}
