import type { Outcome } from "./outcome.ts";
import { refuse } from "./errors.ts";
import {
  DirectScanRequest,
  ProviderScanRequest,
  scanInput,
  scanProviderRequest,
  type ScanRequest,
} from "./scan-request.ts";
import { SchemaReader } from "./schema-reader.ts";

const direct = new SchemaReader(DirectScanRequest);
const provider = new SchemaReader(ProviderScanRequest);

/**
 * Reads a parsed JSON body as a scan request with one of the two targets. Errors: `invalid_request`, with a
 * message that a person can act on. Custom patterns have their own error codes, so check them first.
 * `taken`: further members of the request, which were read before.
 */
export function readScanRequest(
  body: unknown,
  taken: readonly string[] = [],
): Outcome<ScanRequest> {
  const isDirect = namesOneOf(body, scanInput);
  const isProvider = namesOneOf(body, scanProviderRequest);
  if (isDirect && isProvider) {
    return refuse("invalid_request", "A scan has one target: send input or request, not both.");
  }
  if (!isDirect && !isProvider) {
    return refuse("invalid_request", "A scan needs input, or request with request_format.");
  }
  return isDirect ? direct.read(body, taken) : provider.read(body, taken);
}

function namesOneOf(body: unknown, members: object): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Object.keys(members).some((name) => Object.hasOwn(body, name));
}
