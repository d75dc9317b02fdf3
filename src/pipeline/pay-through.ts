import { costOf } from "../billing/cost.ts";
import { refuse } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Price } from "../contract/pricing.ts";
import type { Cost, UsageReport } from "../contract/usage.ts";
import type { Wire } from "../contract/wire.ts";
import type { OrganizationKey } from "./authenticate.ts";
import { header, type RelayPlan } from "./exchange.ts";
import { tryInTurn } from "./failover.ts";
import { answerHeaders } from "./forward-headers.ts";
import { edited, type InspectedBody, type NamedString } from "./inspect.ts";
import { usageEstimate } from "./limit/usage-estimate.ts";
import { mayUseModel } from "./models.ts";
import { clear, finish, takeJson, type Passage } from "./passage.ts";
import { Payment } from "./payment.ts";
import { callerPolicy, type CallerPolicy } from "./policy/caller-policy.ts";
import { policyRecord } from "./policy/policy-record.ts";
import { streamRules } from "./policy/stream-rules.ts";
import { quote, type Quote } from "./quote.ts";
import { providerRequestJob } from "./screen.ts";
import { accountCall } from "./upstream-request.ts";
import { usageObserver } from "./usage-observer.ts";
import { readJsonAnswerUsage } from "./usage-reader.ts";
import { usageRequest } from "./usage-request.ts";
import { UsageTap } from "./usage-tap.ts";

/** A request that the service pays the provider for: route → screen → forward → answer. */
export async function payThrough(passage: Passage, key: OrganizationKey): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  if (wire === null) return refuse("unknown_route", "There is no such endpoint.");
  const taken = await takeJson(passage);
  if (!taken.ok) return taken;
  const { bytes, model, provider } = taken.value;
  if (model === null) {
    return refuse("invalid_request", 'The member "model" must be a string.', {
      details: { param: "model" },
    });
  }
  const named = header(exchange.head.headers, "x-svc-provider") ?? provider?.value ?? null;
  const candidates = services.accounts.route(wire, model.value, named, (id, aliases) =>
    mayUseModel(key, id, aliases),
  );
  if (!candidates.ok) return candidates;
  const policy = callerPolicy(key, services.findPolicy, services.policy);
  const job = providerRequestJob(bytes, wire, policy, key.orgId);
  const cleared = await clear(passage, job, policy);
  if (!cleared.ok) return cleared;
  const inspected = edited(taken.value, cleared.value);
  if (!inspected.ok) return inspected;
  const at = services.wallMs();
  const quoted = quote(candidates.value, wire, inspected.value, services.findPrice, at);
  if (!quoted.ok) return quoted;
  const { estimate } = quoted.value;
  const worst = usageEstimate(inspected.value.bytes.length, wire, inspected.value, estimate);
  const reserved = passage.usage.reserve(key, worst);
  if (!reserved.ok) return reserved;
  const payer = { requestId: exchange.requestId, orgId: key.orgId, record };
  const payment = Payment.open(services.payments, payer, quoted.value.estimate);
  if (!payment.ok) return payment;
  try {
    const standing = inspected.value.model ?? model;
    return await forwardPaid(
      passage,
      policy,
      payment.value,
      quoted.value,
      inspected.value,
      standing,
      wire,
    );
  } finally {
    payment.value.close();
  }
}

/** Forwards and debits what the answer cost; an answer whose cost can't be told is not charged. */
async function forwardPaid(
  passage: Passage,
  policy: CallerPolicy,
  payment: Payment,
  quoted: Quote,
  body: InspectedBody,
  model: NamedString,
  wire: Wire,
): Promise<Outcome<null>> {
  const { exchange, services, record } = passage;
  const usage = usageRequest(wire, body);
  // Of the account that was tried last, whose answer it is.
  const answering: { tap: UsageTap; price: Price | undefined } = {
    tap: new UsageTap(wire),
    price: undefined,
  };
  const noted = (record.policy ??= policyRecord(policy));
  const rules = streamRules(policy, services.searchSteps, noted);
  const attempt = await tryInTurn(quoted.candidates, record, (candidate) => {
    const tap = new UsageTap(wire);
    answering.tap = tap;
    answering.price = candidate.price;
    const plan: RelayPlan = {
      wire,
      holdJson: true,
      drainWithoutClient: true,
      observer: usageObserver(tap, !usage.asked),
      streamRules: rules,
      answerHeaders: (upstream) => answerHeaders(upstream, payment.admissionHeaders),
    };
    const call = accountCall(exchange.head, wire, body, model, candidate, usage);
    return services.forward(call, plan, exchange);
  });
  const costAt = (report: UsageReport): Cost => costOf(report, answering.price, services.wallMs());
  if (attempt.kind === "relayed") {
    payment.settle(costAt(answering.tap.finish()));
  }
  return finish(passage, attempt, policy, (bytes) =>
    payment.settleWhole(costAt(readJsonAnswerUsage(wire, bytes))),
  );
}
