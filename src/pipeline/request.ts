import { accept, type Outcome, type Refused } from "../contract/outcome.ts";
import type { Attempt, BufferedAnswer, Exchange, FlatHeaders } from "../exchange/exchange.ts";
import { noteBody } from "./body/json-body.ts";
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
import type { Limited } from "./limits/rate-limits.ts";
import { PayThrough } from "./modes/pay-through.ts";
import { namesStored, StoredAnswer } from "./modes/stored-answer.ts";
import { callerPolicy, type CallerPolicy } from "./policy/caller-policy.ts";
import { applyOutputRules } from "./policy/output-rules.ts";
import { recordedModel, sinceArrivalMs, type RequestRecord } from "./record/record.ts";
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
  const limiting = limitRate(context, key);
  const limited = limiting instanceof Promise ? await limiting : limiting;
  if (!limited.ok) return limited;
  const directive = readDirective(context, key);
  if (!directive.ok) return directive;
  const admitted = mode.admit();
  if (!admitted.ok) return admitted;
  const observed = mode.observeBody();
  if (!observed.ok) return observed;
  const taken = await exchange.readBody(observed.value);
  if (!taken.ok) return taken;
  noteBody(record, exchange, taken.value);
  const read = mode.read(taken.value);
  if (!read.ok) return read;
  noteRequested(record, read.value);
  const routing = mode.route(read.value);
  const routed = routing instanceof Promise ? await routing : routing;
  if (!routed.ok) return routed;
  const policy = callerPolicy(key, services.findPolicy, services.policy);
  const orgId = key?.orgId ?? null;
  const screening = screenAndApplyPolicy(context, read.value, policy, orgId);
  const screened = screening instanceof Promise ? await screening : screening;
  if (!screened.ok) return screened;
  const body = screened.value;
  const entry = cacheEntry(context, key, directive.value, mode, body);
  const found = entry?.find();
  try {
    if (found !== undefined && key !== null)
      return await answerFree(context, key, mode, policy, found);
    const reserving = mode.reserve(body);
    const reserved = reserving instanceof Promise ? await reserving : reserving;
    if (!reserved.ok) return reserved;
    entry?.watch(context.bodies);
    if (entry !== null) record.cache = "miss";
    const attempt = mode.readable(await mode.forward(body, policy, entry !== null));
    const came = received(
      context,
      mode,
      attempt instanceof Promise ? await attempt : attempt,
      entry,
    );
    if (!came.ok) return uncharged(came, mode);
    const { value: answer } = came;
    if (answer === null) return accept(null);
    const ruled =
      policy.output === null
        ? accept(answer.buffered.body)
        : await applyOutputRules(
            answer.buffered,
            policy,
            services.applyRules,
            record.decides(policy),
          );
    if (!ruled.ok) return uncharged(ruled, mode);
    const settling = settle(context, mode, answer, entry);
    const ours = settling instanceof Promise ? await settling : settling;
    const { status, headers } = answer;
    exchange.respond({ status, headers: [...headers, ...ours], body: ruled.value });
    return accept(null);
  } finally {
    mode.close();
    context.usage.end(record.cost);
  }
}

/** Notes what the body asks for. */
function noteRequested(record: RequestRecord, { inspected }: RequestBody): void {
  if (inspected === null) return;
  record.model = recordedModel(inspected.model?.value);
  record.stream = inspected.stream;
}

/** Who pays. Requests differ in nothing else. */
function modeOf(caller: Caller | KeylessCaller, context: RequestContext): Mode {
  if (caller.key === null) return new Byok(context, null, caller.credentials.upstreamUrl);
  const { key, credentials } = caller;
  if (credentials.mode !== "pay_through") return new Byok(context, key, credentials.upstreamUrl);
  return namesStored(context.exchange.head.path)
    ? new StoredAnswer(context, key)
    : new PayThrough(context, key);
}

/** Errors: `rate_limit_exceeded`; `detector_unavailable` if the request can't be counted at the moment. */
function limitRate(context: RequestContext, key: OrganizationKey | null): Limited {
  const { exchange, endpoint } = context;
  const { rateLimits } = context.services;
  if (key === null) {
    context.record.address = exchange.remoteAddress;
    return rateLimits.passthrough(exchange);
  }
  return endpoint?.window === "token_counts"
    ? rateLimits.tokenCount(exchange, key)
    : rateLimits.request(exchange, key);
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
  { services, endpoint }: RequestContext,
  key: OrganizationKey | null,
  directive: CacheDirective | null,
  mode: Mode,
  body: RequestBody,
): CacheEntry | null {
  if (directive === null || key === null || endpoint?.isCached !== true) return null;
  const subject = mode.cacheSubject();
  if (subject === null) return null;
  return CacheEntry.of(services.cache, directive, endpoint.wire, key.orgId, subject, body.bytes);
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

/** An answer of a provider that the client has not seen, and what the client gets of it, apart from the body. */
interface Unsent {
  readonly buffered: BufferedAnswer;
  readonly status: number;
  readonly headers: FlatHeaders;
}

/**
 * Notes the result of the call. Returns the answer that is still to be sent; null if the relay has brought it
 * to the client, or nobody waits for it. Errors: why the call failed; those of `clientAnswer`.
 */
function received(
  { exchange, wire, record, usage }: RequestContext,
  mode: Mode,
  attempt: Attempt,
  entry: CacheEntry | null,
): Outcome<Unsent | null> {
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
  const served = mode.servedHeaders();
  return accept({
    buffered,
    status,
    headers: served.length === 0 ? headers : [...headers, ...served],
  });
}

/**
 * Settles the cost of an answer that no rule has blocked, and returns the headers that tell it. A provider's
 * error costs nothing.
 */
function settle(
  { record, usage }: RequestContext,
  mode: Mode,
  { buffered, status }: Unsent,
  entry: CacheEntry | null,
): FlatHeaders | Promise<FlatHeaders> {
  record.end = "complete";
  if (status >= 400) {
    record.errorCode = "upstream_error";
    return mode.unchargedHeaders();
  }
  if (status < 300) usage.served();
  const settling = mode.settleBuffered(buffered);
  if (entry === null) return settling;
  entry.buffered(buffered, record);
  return settling instanceof Promise ? settling.then(withMiss) : withMiss(settling);
}

function withMiss(headers: FlatHeaders): FlatHeaders {
  return [...headers, ...cacheMissHeaders];
}

/** A refusal after the worst case was reserved says that nothing was charged. */
function uncharged({ refusal }: Refused, mode: Mode): Refused {
  const headers = [...(refusal.headers ?? []), ...mode.unchargedHeaders()];
  return { ok: false, refusal: { ...refusal, headers } };
}
