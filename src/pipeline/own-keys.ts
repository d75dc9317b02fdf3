import { refuse } from "../contract/errors.ts";
import { cacheAnswerBytesMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { bodyShapeOfPath } from "../contract/wire.ts";
import { booksClosed } from "../store/ledger/hold-refusals.ts";
import { splice } from "../json/splice.ts";
import { joined } from "./body/body-turns.ts";
import { forbiddenModel } from "./routing/accounts.ts";
import type { OrganizationKey } from "./caller/authenticate.ts";
import { cacheMissHeaders, CachePlace } from "./cache/cache-place.ts";
import { ownKeysSubject } from "./cache/cache-subject.ts";
import type { CacheWish } from "./cache/cache-wish.ts";
import { replay } from "./cache/replay.ts";
import { header, type RelayPlan, type RequestHead } from "../exchange/exchange.ts";
import { passedHeaders } from "../exchange/forward-headers.ts";
import { usageEstimate } from "./limits/usage-estimate.ts";
import { mayUseModel } from "./routing/allowed-models.ts";
import { takeOwnKeysBody } from "./body/own-keys-body.ts";
import { OwnKeysUsage, withoutEncoding } from "./money/own-keys-usage.ts";
import { clear, finish, type Passage } from "./passage.ts";
import { callerPolicy } from "./policy/caller-policy.ts";
import { policyRecord } from "./record/policy-record.ts";
import { streamRules } from "./policy/stream-rules.ts";
import type { ResultsUrls } from "./upstream/results-url.ts";
import { holdsServiceKey } from "../exchange/service-key-text.ts";
import { ownKeysCall, type NamedUpstream } from "./upstream/upstream-request.ts";

/**
 * A request with the caller's own provider key, to the upstream that it names; nothing is billed.
 * `key` null: keyless passthrough, of no organization, scanned with the default policy.
 */
export async function ownKeys(
  passage: Passage,
  key: OrganizationKey | null,
  upstreamUrl: string,
  wish: CacheWish | null,
): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  // Nothing is billed, but every request leaves an audit record.
  if (services.payments.ledger.full) return booksClosed;
  const upstream = services.checkUpstream(upstreamUrl);
  if (!upstream.ok) return upstream;
  const forwardable = checkTarget(exchange.head, upstream.value);
  if (!forwardable.ok) return forwardable;
  const policy = callerPolicy(key, services.findPolicy, services.policy);
  const body = await takeOwnKeysBody(passage, key?.orgId ?? null, policy);
  if (!body.ok) return body;
  const model = body.value.inspected?.model?.value;
  if (key !== null && model !== undefined && !mayUseModel(key, model, [])) {
    return forbiddenModel(model);
  }
  const { job, addressJob } = body.value;
  const address = addressJob === null ? accept([]) : await clear(passage, addressJob, policy);
  if (!address.ok) return address;
  const cleared = job === null ? accept([]) : await clear(passage, job, policy);
  if (!cleared.ok) return cleared;
  const pieces = splice(body.value.bytes, cleared.value);
  const bytes = pieces.length > 1 ? await joined(pieces) : body.value.bytes;
  const place = placeOf(passage, key, upstream.value, wish, bytes);
  const found = place?.find();
  if (found !== undefined && key !== null && wire !== null) {
    return replay(passage, wire, key, policy, found, { streamed: [], whole: [] });
  }
  if (key !== null) {
    const reserved = passage.usage.reserve(
      key,
      usageEstimate(bytes.length, body.value.inspected, 0n),
    );
    if (!reserved.ok) return reserved;
  }
  const usage = wire !== null && passage.usage.limitsTokens ? new OwnKeysUsage(wire) : null;
  const { method, path } = exchange.head;
  const decided = (record.policy ??= policyRecord(policy));
  const resultsUrls = key === null ? null : resultsUrlsOf(passage);
  const isRead = usage !== null || policy.output !== null || place !== null || resultsUrls !== null;
  const ours = place === null ? ownKeysAnswerHeaders : uncachedAnswerHeaders;
  const noted = record.callBegins(null);
  const plan: RelayPlan = {
    // The answer to a HEAD has no events, whatever its type says.
    wire: method === "HEAD" ? null : wire,
    ...(method === "POST" && bodyShapeOfPath(path) === "responses" ? passedResponses : {}),
    holdJson: isRead,
    asksForStream: wire !== null && record.stream,
    // For the cache alone nothing is held that it would not keep.
    ...(usage === null && policy.output === null && resultsUrls === null
      ? { heldBytesMax: cacheAnswerBytesMax }
      : {}),
    drainWithoutClient: false,
    observer: usage?.observer ?? null,
    streamRules: streamRules(policy, services.searchSteps, decided),
    headCame: noted.headCame,
    answerHeaders: (headers) => passedHeaders(method, headers, ours),
  };
  record.attempts = 1;
  const verbatim = ownKeysCall(exchange.head, upstream.value, bytes);
  const call = isRead ? withoutEncoding(verbatim) : verbatim;
  if (place !== null) record.cache = "miss";
  place?.watch(exchange);
  const answered = await services.forward(call, plan, exchange);
  noted.ended(answered);
  const attempt =
    resultsUrls === null ? answered : await resultsUrls.rewritten(answered, upstream.value);
  if (usage !== null && attempt.kind === "relayed") passage.usage.answered(usage.ofStream());
  place?.relayed(attempt, record);
  return finish(passage, attempt, policy, {
    good: (held) => {
      if (usage !== null) passage.usage.answered(usage.ofBody(held.body));
      place?.held(held, record);
      return ours;
    },
    failed: () => [],
  });
}

const passedResponses = { passedShape: "responses" } as const;

const ownKeysAnswerHeaders = ["X-Svc-Cost-Calculation-Status", "byok"];
const uncachedAnswerHeaders = [...ownKeysAnswerHeaders, ...cacheMissHeaders];

/** null: the answer names no results of a batch, or names them as the provider does. */
function resultsUrlsOf({ exchange, services }: Passage): ResultsUrls | null {
  const { resultsUrls } = services;
  return resultsUrls?.concerns(exchange.head) === true ? resultsUrls : null;
}

/** null: not asked for, or no model request of an organization. */
function placeOf(
  { exchange, wire, services }: Passage,
  key: OrganizationKey | null,
  upstream: NamedUpstream,
  wish: CacheWish | null,
  body: Uint8Array,
): CachePlace | null {
  const { head } = exchange;
  if (wish === null || key === null || wire === null || head.method !== "POST") return null;
  const subject = ownKeysSubject(head, wire, upstream);
  return CachePlace.of(services.cache, wish, wire, key.orgId, subject, body);
}

/** What can't be sent verbatim, whatever the upstream: a tunnel, a socket, another's address, a service key. */
function checkTarget(head: RequestHead, upstream: NamedUpstream): Outcome<null> {
  if (head.method === "CONNECT") {
    return refuse("method_not_allowed", "CONNECT is not forwarded.");
  }
  if (head.method === "GET" && /^websocket$/i.test(header(head.headers, "upgrade") ?? "")) {
    return refuse("invalid_request", "WebSockets are not forwarded; ask for server-sent events.");
  }
  // In absolute form the path names a host of its own, which a proxy behind the upstream might follow.
  if (!head.path.startsWith("/")) {
    return refuse("invalid_request", "The request's target must be a path.");
  }
  if (holdsServiceKey(upstream.origin + upstream.basePath) || holdsServiceKey(head.path)) {
    return refuse("invalid_request", "A service key in an address is not forwarded.");
  }
  return accept(null);
}
