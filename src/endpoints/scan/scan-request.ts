import { refuse, refuseParameter } from "../../contract/errors.ts";
import { scanOptionsBytesMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { sensitivityDefault, segmentDefault, type ScanCategory } from "../../contract/scan.ts";
import { readScanRequest } from "../../contract/scan-request-reader.ts";
import type { ScanRequest } from "../../contract/scan-request.ts";
import { inputFault } from "../../workers/report/input-parts.ts";
import type { ReportOptions, ReportTarget } from "../../workers/report/report-job.ts";
import { member, type InspectedBody } from "../../pipeline/body/inspect.ts";

/** A scan request whose target is still the original bytes. */
export interface RequestedScan {
  readonly target: ReportTarget;
  /** The target's JSON. */
  readonly content: Uint8Array;
  readonly options: ReportOptions;
  /** As submitted, to be checked separately; undefined if there are none. */
  readonly customPatterns: unknown;
  /** If false, nothing of the target may be stored (spec: Privacy of scans). */
  readonly storeInput: boolean;
}

/** The JSON object of a scan request, with the places of its members. */
export type ScanRequestBody = Pick<InspectedBody, "bytes" | "topLevel">;

/**
 * Reads a scan request without parsing its target, which may have megabytes (spec: Scan options, Scan
 * target). Errors: `invalid_request`, `scan_input_too_large` if the serialized target is longer than
 * `contentBytesMax`; content that is not scanned counts too. `taken` names the object's other members.
 */
export function readRequestedScan(
  body: ScanRequestBody,
  contentBytesMax: number,
  taken: readonly string[] = [],
): Outcome<RequestedScan> {
  const { members } = body.topLevel;
  if (new Set(members.map(({ name }) => name)).size < members.length) {
    return refuse("invalid_request", "A member of the scan request stands more than once.");
  }
  const input = member(body.topLevel, "input");
  const content = input ?? member(body.topLevel, "request");
  const targetBytes = content === undefined ? 0 : content.valueEnd - content.valueStart;
  if (targetBytes > contentBytesMax) {
    return refuse(
      "scan_input_too_large",
      `The scan's content is larger than ${contentBytesMax} bytes.`,
      { details: { limit: contentBytesMax } },
    );
  }
  if (body.bytes.length - targetBytes > scanOptionsBytesMax) {
    return refuse(
      "invalid_request",
      `The scan's options are larger than ${scanOptionsBytesMax} bytes.`,
    );
  }
  const { custom_patterns: customPatterns, ...others } = withoutTargets(body);
  const request = readScanRequest(others, taken);
  if (!request.ok) return request;
  // The schema has refused a request without a target.
  if (content === undefined) throw new Error("a scan request without a target passed its schema");
  const bytes = body.bytes.subarray(content.valueStart, content.valueEnd);
  const fault = input === undefined ? null : inputFault(bytes);
  if (fault !== null) {
    return refuseParameter("input", `${fault}.`);
  }
  return accept({
    target: "request_format" in request.value ? request.value.request_format : "input",
    content: bytes,
    options: optionsOf(request.value, customPatterns !== undefined),
    customPatterns,
    storeInput: request.value.store_input ?? true,
  });
}

/** The parsed request, with a small valid value in place of a target of the right type. */
function withoutTargets({ bytes, topLevel }: ScanRequestBody): Record<string, unknown> {
  // Not by assignment, which would lose a member called __proto__.
  return Object.fromEntries(
    topLevel.members.map(({ name, type, valueStart, valueEnd }): [string, unknown] => {
      if (name === "input" && (type === "string" || type === "array")) return [name, "-"];
      if (name === "request" && type === "object") return [name, {}];
      const json = Buffer.from(bytes.subarray(valueStart, valueEnd)).toString("utf8");
      return [name, JSON.parse(json)];
    }),
  );
}

function optionsOf(request: ScanRequest, hasCustomPatterns: boolean): ReportOptions {
  const { sensitivity = sensitivityDefault, segment = segmentDefault } = request;
  // spec: Scan options. Custom patterns without categories run alone.
  const byDefault: readonly ScanCategory[] = hasCustomPatterns ? [] : ["prompt_injection"];
  const categories = request.categories ?? byDefault;
  return {
    injection: categories.includes("prompt_injection"),
    sensitivity,
    entities: categories.filter((category) => category !== "prompt_injection"),
    entityScoreThreshold: request.entity_score_threshold ?? null,
    segment,
    customPatterns: hasCustomPatterns,
  };
}
