import { formatUsd, zeroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { noUsage, type Cost } from "../../contract/usage.ts";
import type { OrganizationKey } from "../caller/authenticate.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";
import type { RequestContext } from "../context.ts";
import type { FreeHeaders } from "../money/payment.ts";
import type { CallerPolicy } from "../policy/caller-policy.ts";
import { applyOutputRules } from "../policy/output-rules.ts";
import { streamRules } from "../policy/stream-rules.ts";
import type { CachedAnswer } from "./cached-answer.ts";
import type { Found } from "./response-cache.ts";
import { StreamReplay } from "./stream-replay.ts";

const hitHeaders: FlatHeaders = [
  "X-Svc-Cache",
  "hit",
  "X-Svc-Cost-Calculation-Status",
  "cache_hit",
  "X-Svc-Cost-Usd",
  formatUsd(zeroUsd),
];

/** spec: Cost status values. No tokens were used, so token limits count none. */
const nothing: Cost = {
  costMicroUsd: zeroUsd,
  status: "cache_hit",
  buckets: noUsage,
  catalogVersion: null,
  assumedPrice: null,
  serviceTier: null,
};

/**
 * Answers a request from the cache, through the rules for answers of its own key. The answer costs nothing
 * and counts as one request in usage limits. Errors: those of `UsageReservation.reserve` and of the rules.
 */
export async function replay(
  context: RequestContext,
  key: OrganizationKey,
  policy: CallerPolicy,
  { answer, provider }: Found,
  ours: FreeHeaders,
): Promise<Outcome<null>> {
  const { record, usage } = context;
  const reserving = usage.reserve(key, { costMicroUsd: 0n, tokens: 0n, requests: 1n });
  const reserved = reserving instanceof Promise ? await reserving : reserving;
  if (!reserved.ok) return reserved;
  usage.served();
  record.cache = "hit";
  record.provider = provider;
  const { eventEnds } = answer;
  return eventEnds === null
    ? replayJson(context, policy, answer, [...answer.headers, ...hitHeaders, ...ours.whole])
    : replayStream(context, policy, eventsOf(answer.body, eventEnds), [
        ...answer.headers,
        ...hitHeaders,
        ...ours.streamed,
      ]);
}

async function replayJson(
  { exchange, services, record }: RequestContext,
  policy: CallerPolicy,
  answer: CachedAnswer,
  headers: FlatHeaders,
): Promise<Outcome<null>> {
  const noted = record.decides(policy);
  const ruled = await applyOutputRules(answer, policy, services.applyRules, noted);
  if (!ruled.ok) return ruled;
  record.cost = nothing;
  record.end = "complete";
  exchange.respond({ status: 200, headers, body: ruled.value });
  return accept(null);
}

async function replayStream(
  { exchange, wire, services, record }: RequestContext,
  policy: CallerPolicy,
  events: readonly Buffer[],
  headers: FlatHeaders,
): Promise<Outcome<null>> {
  if (wire === null) throw new Error("a stream without a wire was cached");
  const noted = record.decides(policy);
  const rules = streamRules(policy, services.searchSteps, noted);
  const ended = await new StreamReplay({ exchange, wire, headers, events, rules }).run();
  if (ended.end === "blocked") {
    if (ended.refused) return { ok: false, refusal: ended.refusal };
    record.errorCode = ended.refusal.code;
  }
  record.cost = nothing;
  record.end = ended.end;
  return accept(null);
}

function eventsOf(body: Buffer, ends: Uint32Array): readonly Buffer[] {
  return Array.from(ends, (end, i) => body.subarray(i === 0 ? 0 : ends[i - 1], end));
}
