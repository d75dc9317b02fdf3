import { errors } from "undici";
import type { Refusal } from "../../contract/errors.ts";
import { blockedAddressCode } from "./upstream-guard.ts";

const timeouts = new Set([
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
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
  // undici 8.12 looks its code up in a table with keys and values swapped, and finds none. Test:
  // test/wire/broken-answers.test.ts, "a chunk that is none".
  if (error instanceof errors.HTTPParserError) return "UND_ERR_HTTP_PARSER";
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The form of error codes of the system, OpenSSL and undici. */
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
  if (code === "UND_ERR_INVALID_ARG") {
    return { code: "invalid_request", message: "The request can't be forwarded as it stands." };
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
