import type { Refusal } from "../../contract/errors.ts";
import { blockedAddressCode } from "./upstream-guard.ts";

/** Codes of failures that the HTTP client itself finds. */
export type FaultCode =
  | "ERR_UPSTREAM_CONNECT_TIMEOUT"
  | "ERR_UPSTREAM_HEADERS_TIMEOUT"
  | "ERR_UPSTREAM_BODY_TIMEOUT"
  /** The provider, or the gateway's own end, closed the connection before the answer was whole. */
  | "ERR_UPSTREAM_CLOSED"
  /** The response is no valid HTTP/1.1. */
  | "ERR_UPSTREAM_RESPONSE";

/** A failure that the HTTP client itself finds. The message holds nothing that a peer has sent. */
export class UpstreamFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The response is no valid HTTP/1.1, or two readers might read it differently. */
export class InvalidResponse extends UpstreamFault {
  constructor(message: string) {
    super("ERR_UPSTREAM_RESPONSE", message);
  }
}

const timeouts: ReadonlySet<string> = new Set<FaultCode>([
  "ERR_UPSTREAM_CONNECT_TIMEOUT",
  "ERR_UPSTREAM_HEADERS_TIMEOUT",
  "ERR_UPSTREAM_BODY_TIMEOUT",
]);

/**
 * The refusal for a call that failed below HTTP. It leaves out the error's own message, which may contain
 * addresses of the operator's network.
 */
export function upstreamRefusal(error: Error): Refusal {
  const code = codeOf(error);
  const refusal = refusalOf(code);
  return errorCode.test(code) ? { ...refusal, upstreamError: code } : refusal;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The form of error codes of the system, of TLS and of the HTTP client. */
const errorCode = /^[A-Z0-9_]{1,64}$/;

function refusalOf(code: string): Refusal {
  if (timeouts.has(code) || code === "ETIMEDOUT") {
    return { code: "upstream_timeout", message: "The provider did not answer in time." };
  }
  if (code === blockedAddressCode) {
    return {
      code: "ssrf_blocked",
      message:
        "The upstream's name leads to an address that this gateway's network policy refuses.",
    };
  }
  return { code: "upstream_error", message: "The connection to the provider failed." };
}

export const streamCut: Refusal = {
  code: "upstream_error_in_2xx",
  message: "The provider's stream ended without its terminal event.",
};

export const answerTooLarge: Refusal = {
  code: "upstream_response_too_large",
  message: "The provider's answer is larger than this account's limit.",
};

/** The refusal if the byte budget is full. */
export const noRoom: Refusal = {
  code: "detector_unavailable",
  message: "Too many large bodies are in flight to hold the provider's answer.",
  retryAfterSeconds: 1,
};
