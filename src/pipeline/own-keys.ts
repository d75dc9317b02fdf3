import { accept, type Outcome } from "../contract/outcome.ts";
import type { ScanJob } from "../workers/scan-job.ts";
import { forbiddenModel } from "./accounts.ts";
import type { OrganizationKey } from "./authenticate.ts";
import { header, type RelayPlan } from "./exchange.ts";
import { answerHeaders } from "./forward-headers.ts";
import { usageEstimate } from "./limit/usage-estimate.ts";
import { mayUseModel } from "./models.ts";
import { clear, finish, takeJson, type Passage } from "./passage.ts";
import { sinceArrivalMs } from "./record.ts";
import { providerRequestJob, textJob } from "./screen.ts";
import { ownKeysCall } from "./upstream-request.ts";

/** A request with the caller's own provider key, to the upstream that it names; nothing is billed. */
export async function ownKeys(
  passage: Passage,
  key: OrganizationKey,
  upstreamUrl: string,
): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  const upstream = services.checkUpstream(upstreamUrl);
  if (!upstream.ok) return upstream;
  const body = await takeOwnKeysBody(passage, key.orgId);
  if (!body.ok) return body;
  if (record.model !== null && !mayUseModel(key, record.model, [])) {
    return forbiddenModel(record.model);
  }
  const { bytes, job } = body.value;
  const cleared = job === null ? accept(null) : await clear(passage, job);
  if (!cleared.ok) return cleared;
  const reserved = passage.usage.reserve(key, usageEstimate(bytes.length, null, null, 0n));
  if (!reserved.ok) return reserved;
  const plan: RelayPlan = {
    wire,
    holdJson: false,
    drainWithoutClient: false,
    observer: null,
    answerHeaders: (headers) => answerHeaders(headers, ownKeysAnswerHeaders),
  };
  record.attempts = 1;
  const call = ownKeysCall(exchange.head, upstream.value, bytes);
  return finish(passage, await services.forward(call, plan, exchange), () => ownKeysAnswerHeaders);
}

const ownKeysAnswerHeaders = ["X-Svc-Cost-Calculation-Status", "byok"];

/** An own-keys body with its scan: JSON on either wire and where it says so, else plain text. */
async function takeOwnKeysBody(
  passage: Passage,
  orgId: string,
): Promise<Outcome<{ readonly bytes: Uint8Array; readonly job: ScanJob | null }>> {
  const { exchange, wire, services, record } = passage;
  const { method, headers } = exchange.head;
  const isJson = /\bjson\b/i.test(header(headers, "content-type") ?? "");
  if (method === "POST" && (wire !== null || isJson)) {
    const inspected = await takeJson(passage);
    if (!inspected.ok) return inspected;
    const { bytes } = inspected.value;
    return accept({ bytes, job: providerRequestJob(bytes, wire, services.policy, orgId) });
  }
  const body = await exchange.readBody(null);
  if (!body.ok) return body;
  const bytes = body.value;
  record.bytesIn = bytes.length;
  record.bodyMs = sinceArrivalMs(exchange);
  const job = bytes.length === 0 ? null : textJob(bytes, services.policy, orgId);
  return accept({ bytes, job });
}
