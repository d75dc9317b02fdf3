import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { InjectionResult, Sensitivity } from "../contract/scan.ts";
import { formatOfWire, type Wire } from "../contract/wire.ts";
import type { ScanJob, ScanResult } from "../workers/scan-job.ts";

/** What is done with a scan's verdict (design section 7, "Default security policy"). */
export interface SecurityPolicy {
  readonly injection: { readonly action: "block" | "flag"; readonly sensitivity: Sensitivity };
}

/** Runs a scan in a worker; refuses `detector_unavailable`. */
export type Scan = (job: ScanJob) => Promise<Outcome<ScanResult>>;

/** The scan of a JSON request body on its way to a provider. */
export function providerRequestJob(
  bytes: Uint8Array,
  wire: Wire | null,
  policy: SecurityPolicy,
  orgId: string | null,
): ScanJob {
  const format = wire === null ? "json" : formatOfWire[wire];
  const { sensitivity } = policy.injection;
  return { kind: "provider_request", format, bytes, sensitivity, ...owner(orgId) };
}

/** The scan of any other request body, as text. */
export function textJob(bytes: Uint8Array, policy: SecurityPolicy, orgId: string | null): ScanJob {
  return { kind: "text", bytes, sensitivity: policy.injection.sensitivity, ...owner(orgId) };
}

/** Of a request that belongs to no organization nothing is remembered: strangers share no cache. */
function owner(orgId: string | null): { orgId?: string } {
  return orgId === null ? {} : { orgId };
}

/**
 * Scans what the model is about to read. No verdict, no forward: a scan that did not happen refuses
 * the request. Errors: `detector_unavailable`.
 */
export async function screen(job: ScanJob, scan: Scan): Promise<Outcome<InjectionResult>> {
  const result = await scan(job);
  return result.ok ? accept(result.value.injection) : result;
}

/** Applies the policy to the verdict. Errors: `security_blocked`. */
export function enforce(injection: InjectionResult, policy: SecurityPolicy): Outcome<null> {
  if (injection.verdict !== "block" || policy.injection.action !== "block") return accept(null);
  return refuse(
    "security_blocked",
    "The request was blocked by the security policy: it looks like a prompt injection.",
    { details: { type: "permission_error" } },
  );
}
