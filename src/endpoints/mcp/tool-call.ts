import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { scanResponseJson, type FinishedScan } from "../scan/paid-scan.ts";
import { readRequestedScan, type RequestedScan } from "../scan/scan-request.ts";
import type { JsonObject } from "./message.ts";

/** The request of a call of the tool. */
export interface RequestedCall {
  readonly scan: RequestedScan;
  /** Whether the result has the member `redacted_text`. */
  readonly includeRedactedText: boolean;
}

const ownArgument = "include_redacted_text";

/** Errors: those of `readRequestedScan`, and `invalid_request` for the tool's own argument. */
export function readRequestedCall(
  { bytes, topLevel }: JsonObject,
  contentBytesMax: number,
): Outcome<RequestedCall> {
  const own = topLevel.members.filter(({ name }) => name === ownArgument);
  const members = topLevel.members.filter(({ name }) => name !== ownArgument);
  if (own.length > 1 || own.some(({ type }) => type !== "true" && type !== "false")) {
    return refuseParameter(ownArgument, `/${ownArgument} must be true or false.`);
  }
  const body = { bytes, topLevel: { ...topLevel, members } };
  const scan = readRequestedScan(body, contentBytesMax, [ownArgument]);
  if (!scan.ok) return scan;
  return accept({ scan: scan.value, includeRedactedText: own[0]?.type === "true" });
}

/** The tool's answer. It contains the submission's text, redacted, only if that was asked for. */
export function toolAnswerJson(call: RequestedCall, paid: FinishedScan): string {
  return call.includeRedactedText ? scanResponseJson(paid) : paid.findingsJson;
}
