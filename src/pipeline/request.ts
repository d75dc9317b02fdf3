import { accept, type Outcome, type Refused } from "../contract/outcome.ts";
import type { Attempt, Exchange, FlatHeaders } from "../exchange/exchange.ts";
import type { RequestBody } from "./body/request-body.ts";
import { readCacheDirective, type CacheDirective } from "./cache/cache-directive.ts";
import { CacheEntry, cacheMissHeaders } from "./cache/cache-entry.ts";
import { replay } from "./cache/replay.ts";
import type { Found } from "./cache/response-cache.ts";
import {
  identify,
  type Caller,
  type FindKey,
  type KeylessCaller,
  type OrganizationKey,
} from "./caller/authenticate.ts";
import { RequestContext, type RequestServices } from "./context.ts";
import { Byok } from "./modes/byok.ts";
import type { Mode } from "./modes/mode.ts";
import { PayThrough } from "./modes/pay-through.ts";
import { callerPolicy, type CallerPolicy } from "./policy/caller-policy.ts";
import { applyOutputRules } from "./policy/output-rules.ts";
import { sinceArrivalMs } from "./record/record.ts";
import { screenAndApplyPolicy } from "./screen/screen.ts";
import { serve } from "./serve.ts";
import { clientAnswer } from "./upstream/upstream-answer.ts";

/**
 * A model request, from its head to its answer and its record: identify → limit → read → route → screen →
 * cache → reserve → forward → deliver. Requests differ only in who pays for them (`Mode`).
 */
export function modelRequest(exchange: Exchange, services: RequestServices): Promise<void> {
  const context = new RequestContext(exchange, services);
  return serve(context.record, exchange, services, (findKey) => steps(context, findKey));
}

/** Each step returns its value, or the refusal that ends the request. */
async function steps(context: RequestContext, findKey: FindKey): Promise<Outcome<null>> {
  const { exchange, services, record } = context;
  const caller = identify(exchange.head, findKey, services.keylessPassthrough);
  if (!caller.ok) return caller;
  const { key, credentials } = caller.value;
  record.ownKeys = credentials.mode !== "pay_through";
  const mode = modeOf(caller.value, context);
  const limited = limitRate(context, key);
  if (!limited.ok) return limited;
  const directive = readDirective(context, key);
  if (!directive.ok) return directive;
  const admitted = mode.admit();
  if (!admitted.ok) return admitted;
  const read = await mode.read();
  if (!read.ok) return read;
  const routed = mode.route(read.value);
  if (!routed.ok) return routed;
  const policy = callerPolicy(key, services.findPolicy, services.policy);
  const orgId = key?.orgId ?? null;
  const screened = await screenAndApplyPolicy(context, read.value, policy, orgId);
  if (!screened.ok) return screened;
  const body = screened.value;
  const entry = cacheEntry(context, key, directive.value, mode, body);
  const found = entry?.find();
  try {
    if (found !== undefined && key !== null)
      return await answerFree(context, key, mode, policy, found);
    const reserved = mode.reserve(body);
    if (!reserved.ok) return reserved;
    entry?.watch(context.bodies);
    if (entry !== null) record.cache = "miss";
    const attempt = await mode.forward(body, policy, entry !== null);
    const delivered = await deliver(context, mode, attempt, policy, entry);
    return delivered.ok ? delivered : uncharged(delivered, mode);
  } finally {
    mode.close();
    context.usage.end(record.cost);
  }
}

/** Who pays. Requests differ in nothing else. */
function modeOf(caller: Caller | KeylessCaller, context: RequestContext): Mode {
  if (caller.key === null) return new Byok(context, null, caller.credentials.upstreamUrl);
  const { key, credentials } = caller;
  return credentials.mode === "pay_through"
    ? new PayThrough(context, key)
    : new Byok(context, key, credentials.upstreamUrl);
}

/** Errors: `rate_limit_exceeded`; `detector_unavailable` if the request can't be counted at the moment. */
function limitRate(context: RequestContext, key: OrganizationKey | null): Outcome<null> {
  const { rateLimits } = context.services;
  return key === null
    ? rateLimits.passthrough(context.exchange)
    : rateLimits.request(context.exchange, key);
}

/** Callers without a key share no cache, so their cache headers are not read. Errors: `invalid_request`. */
function readDirective(
  { exchange }: RequestContext,
  key: OrganizationKey | null,
): Outcome<CacheDirective | null> {
  if (key === null) return accept(null);
  return readCacheDirective(exchange.head.headers, key.responseCache);
}

/** Where the answer is looked up and kept; null if this request uses no cache. */
function cacheEntry(
  { services, wire }: RequestContext,
  key: OrganizationKey | null,
  directive: CacheDirective | null,
  mode: Mode,
  body: RequestBody,
): CacheEntry | null {
  if (directive === null || key === null || wire === null) return null;
  const subject = mode.cacheSubject();
  if (subject === null) return null;
  return CacheEntry.of(services.cache, directive, wire, key.orgId, subject, body.bytes);
}

/** An answer from the cache costs nothing, and no provider is called. */
async function answerFree(
  context: RequestContext,
  key: OrganizationKey,
  mode: Mode,
  policy: CallerPolicy,
  found: Found,
): Promise<Outcome<null>> {
  const admitted = mode.admitFree();
  if (!admitted.ok) return admitted;
  return replay(context, key, policy, found, admitted.value);
}

/**
 * Brings the result of the call to the client, unless the relay has done so, and settles its cost. The
 * policy's rules for answers apply to an answer that is still buffered here. If they block it, it costs
 * nothing.
 */
async function deliver(
  context: RequestContext,
  mode: Mode,
  attempt: Attempt,
  policy: CallerPolicy,
  entry: CacheEntry | null,
): Promise<Outcome<null>> {
  const { exchange, wire, services, record, usage } = context;
  record.upstreamMs = sinceArrivalMs(exchange);
  usage.attempted(attempt);
  if (attempt.kind === "relayed") mode.settleRelayed();
  entry?.relayed(attempt, record);
  const came = record.attempted(attempt);
  if ("over" in came) return came.over;
  const { buffered } = came;
  const answer = clientAnswer(buffered, exchange.head.method, wire, record.ownKeys);
  if (!answer.ok) return answer;
  const { status, headers } = answer.value;
  const noted = record.decides(policy);
  const ruled =
    policy.output === null
      ? accept(buffered.body)
      : await applyOutputRules(buffered, policy, services.applyRules, noted);
  if (!ruled.ok) return ruled;
  record.end = "complete";
  if (status >= 400) {
    record.errorCode = "upstream_error";
    const ours = mode.unchargedHeaders();
    exchange.respond({ status, headers: [...headers, ...ours], body: ruled.value });
    return accept(null);
  }
  if (status < 300) usage.served();
  const settling = mode.settleBuffered(buffered);
  entry?.buffered(buffered, record);
  const ours = settling instanceof Promise ? await settling : settling;
  const missed = entry === null ? none : cacheMissHeaders;
  exchange.respond({ status, headers: [...headers, ...ours, ...missed], body: ruled.value });
  return accept(null);
}

/** A refusal after the worst case was reserved says that nothing was charged. */
function uncharged({ refusal }: Refused, mode: Mode): Refused {
  const headers = [...(refusal.headers ?? []), ...mode.unchargedHeaders()];
  return { ok: false, refusal: { ...refusal, headers } };
}

const none: FlatHeaders = [];
