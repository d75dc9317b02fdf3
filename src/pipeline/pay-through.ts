import { costOf } from "../billing/cost.ts";
import { refuse, refuseParameter } from "../contract/errors.ts";
import { modelCharsMax } from "../contract/limits.ts";
import { accept, type Outcome, type Refused } from "../contract/outcome.ts";
import { assumedEntry, type Price } from "../contract/pricing.ts";
import type { Cost, UsageReport } from "../contract/usage.ts";
import type { Wire } from "../contract/wire.ts";
import { decodedAnswer } from "../exchange/answer-encoding.ts";
import type { OrganizationKey } from "./caller/authenticate.ts";
import { cacheMissHeaders, CachePlace } from "./cache/cache-place.ts";
import { payThroughSubject } from "./cache/cache-subject.ts";
import type { CacheWish } from "./cache/cache-wish.ts";
import { replay } from "./cache/replay.ts";
import type { Found } from "./cache/response-cache.ts";
import { checkExactMembers } from "./body/exact-members.ts";
import { header, type RelayPlan } from "../exchange/exchange.ts";
import { tryInTurn } from "./upstream/failover.ts";
import { answerHeaders } from "../exchange/forward-headers.ts";
import { edited, type InspectedBody, type NamedString } from "./body/inspect.ts";
import { usageEstimate } from "./limits/usage-estimate.ts";
import { mayUseModel } from "./routing/allowed-models.ts";
import { clear, finish, takeJson, type Passage } from "./passage.ts";
import { admitFree, assumedPriceHeaders, Payment } from "./money/payment.ts";
import { callerPolicy, type CallerPolicy } from "./policy/caller-policy.ts";
import { policyRecord } from "./record/policy-record.ts";
import { streamRules } from "./policy/stream-rules.ts";
import { quote, type Quote } from "./money/quote.ts";
import { providerRequestJob } from "./screen/screen.ts";
import { accountCall } from "./upstream/upstream-request.ts";
import { usageObserver } from "./money/usage-observer.ts";
import { readJsonAnswerUsage } from "./money/usage-reader.ts";
import { usageRequest } from "./money/usage-request.ts";
import { UsageTap } from "./money/usage-tap.ts";

/** A request that the service pays the provider for: route → screen → forward → answer. */
export async function payThrough(
  passage: Passage,
  key: OrganizationKey,
  wish: CacheWish | null,
): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  if (wire === null) return refuse("unknown_route", "There is no such endpoint.");
  const taken = await takeJson(passage);
  if (!taken.ok) return taken;
  const { bytes, provider } = taken.value;
  const asked = modelOf(taken.value);
  if (!asked.ok) return asked;
  const model = asked.value;
  const exact = checkExactMembers(wire, taken.value);
  if (!exact.ok) return exact;
  const named = header(exchange.head.headers, "x-svc-provider") ?? provider?.value ?? null;
  const candidates = services.accounts.route(wire, model.value, named, (id, aliases) =>
    mayUseModel(key, id, aliases),
  );
  if (!candidates.ok) return candidates;
  const policy = callerPolicy(key, services.findPolicy, services.policy);
  const job = providerRequestJob(bytes, wire, policy, key.orgId);
  const cleared = await clear(passage, job, policy);
  if (!cleared.ok) return cleared;
  const inspected = await edited(taken.value, cleared.value);
  if (!inspected.ok) return inspected;
  const place =
    wish === null
      ? null
      : CachePlace.of(
          services.cache,
          wish,
          wire,
          key.orgId,
          payThroughSubject(exchange.head, wire, named, candidates.value),
          inspected.value.bytes,
        );
  const found = place?.find();
  if (found !== undefined) return replayFree(passage, wire, key, policy, found);
  const at = services.wallMs();
  const quoted = quote(candidates.value, wire, inspected.value, services.findPrice, at);
  if (!quoted.ok) return quoted;
  const { estimate } = quoted.value;
  const worst = usageEstimate(inspected.value.bytes.length, inspected.value, estimate);
  const reserved = passage.usage.reserve(key, worst);
  if (!reserved.ok) return reserved;
  const payer = { requestId: exchange.requestId, orgId: key.orgId, record };
  const payment = Payment.open(services.payments, payer, quoted.value.estimate);
  if (!payment.ok) return withCure(payment);
  try {
    const standing = inspected.value.model ?? model;
    const request = { body: inspected.value, model: standing, wire, place };
    const outcome = await forwardPaid(passage, policy, payment.value, quoted.value, request);
    if (outcome.ok) return outcome;
    const { refusal } = outcome;
    const headers = [...(refusal.headers ?? []), ...payment.value.unchargedHeaders];
    return { ok: false, refusal: { ...refusal, headers } };
  } finally {
    payment.value.close();
  }
}

/** What lowers a hold, where the balance does not cover it: most of it is the longest answer asked for. */
function withCure(refused: Refused): Refused {
  const { refusal } = refused;
  if (refusal.code !== "insufficient_balance" && refusal.code !== "payg_reserved") return refused;
  const message = `${refusal.message} With a lower max_tokens it needs less.`;
  return { ok: false, refusal: { ...refusal, message } };
}

/** Errors: `invalid_request` for what names no model. */
function modelOf({ model }: InspectedBody): Outcome<NamedString> {
  if (model === null) return refuseParameter("model", 'The member "model" must be a string.');
  // Nothing has a longer name, and to look for names like it would take seconds.
  if (model.value.length > modelCharsMax) {
    const fault = `The member "model" must have at most ${modelCharsMax} characters.`;
    return refuseParameter("model", fault);
  }
  return accept(model);
}

/** An answer from the cache, which no provider is paid for: no hold, no debit. */
async function replayFree(
  passage: Passage,
  wire: Wire,
  key: OrganizationKey,
  policy: CallerPolicy,
  found: Found,
): Promise<Outcome<null>> {
  const admitted = admitFree(passage.services.payments, key.orgId);
  if (!admitted.ok) return admitted;
  return replay(passage, wire, key, policy, found, admitted.value);
}

/** What is forwarded, and where its answer is kept; null: nowhere. */
interface PaidRequest {
  readonly body: InspectedBody;
  readonly model: NamedString;
  readonly wire: Wire;
  readonly place: CachePlace | null;
}

/** Forwards and debits what the answer cost; an answer whose cost can't be told is not charged. */
async function forwardPaid(
  passage: Passage,
  policy: CallerPolicy,
  payment: Payment,
  quoted: Quote,
  { body, model, wire, place }: PaidRequest,
): Promise<Outcome<null>> {
  const { exchange, services, record } = passage;
  const usage = usageRequest(wire, body);
  // Of the account that was tried last, whose answer it is.
  const answering: { tap: UsageTap; price: Price | undefined } = {
    tap: new UsageTap(wire),
    price: undefined,
  };
  let bytesMax = 0;
  const noted = (record.policy ??= policyRecord(policy));
  const rules = streamRules(policy, services.searchSteps, noted);
  const { admissionHeaders } = payment;
  const ours = place === null ? admissionHeaders : [...admissionHeaders, ...cacheMissHeaders];
  if (place !== null) record.cache = "miss";
  place?.watch(exchange);
  const attempt = await tryInTurn(quoted.candidates, record, (candidate, headCame) => {
    const tap = new UsageTap(wire);
    answering.tap = tap;
    answering.price = candidate.price;
    const plan: RelayPlan = {
      wire,
      holdJson: true,
      asksForStream: body.stream,
      drainWithoutClient: true,
      observer: usageObserver(tap, !usage.asked),
      streamRules: rules,
      headCame,
      answerHeaders: (upstream) =>
        answerHeaders(upstream, [...ours, ...assumedPriceHeaders(assumedEntry(candidate.price))]),
    };
    const call = accountCall(exchange.head, wire, body, model, candidate, usage);
    bytesMax = call.responseBytesMax;
    return services.forward(call, plan, exchange);
  });
  const answer = attempt.kind === "held" ? await decodedAnswer(attempt, bytesMax) : attempt;
  const costAt = (report: UsageReport): Cost => costOf(report, answering.price, services.wallMs());
  if (attempt.kind === "relayed") {
    const cost = costAt(answering.tap.finish());
    passage.usage.attempted(attempt);
    payment.settle(cost, passage.usage.settle(cost));
  }
  place?.relayed(attempt, record);
  return finish(passage, answer, policy, {
    good: async (held) => {
      const cost = costAt(readJsonAnswerUsage(wire, held.body));
      const settled = payment.settleWhole(cost, passage.usage.settle(cost));
      if (place === null) return settled;
      place.held(held, record);
      return [...(await settled), ...cacheMissHeaders];
    },
    failed: () => payment.unchargedHeaders,
  });
}
