import { costOf } from "../../billing/cost.ts";
import { refuse, refuseParameter } from "../../contract/errors.ts";
import { modelCharsMax } from "../../contract/limits.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import type { MicroUsd } from "../../contract/money.ts";
import { assumedEntry, type Price } from "../../contract/pricing.ts";
import type { Cost, UsageReport } from "../../contract/usage.ts";
import type { ModelEndpoint } from "../../contract/endpoints/endpoint.ts";
import type { Wire } from "../../contract/wire.ts";
import { decodedAnswer, isEncoded } from "../../exchange/answer-encoding.ts";
import {
  header,
  type Attempt,
  type BodyObserver,
  type BufferedAnswer,
  type FlatHeaders,
  type RelayPlan,
} from "../../exchange/exchange.ts";
import { answerHeaders } from "../../exchange/forward-headers.ts";
import { checkExactMembers } from "../body/exact-members.ts";
import { promptCacheKeyEdits } from "../state/prompt-cache-key.ts";
import { servingState } from "../state/check-state.ts";
import { createdIds, createsState } from "../state/created-ids.ts";
import { stateIdsOf, type StateId } from "../state/state-ids.ts";
import { checkReadable } from "../body/readable.ts";
import { Inspection, type InspectedBody, type NamedString } from "../body/inspect.ts";
import type { RequestBody } from "../body/request-body.ts";
import { cacheMissHeaders } from "../cache/cache-entry.ts";
import { payThroughSubject, type CacheSubject } from "../cache/cache-subject.ts";
import type { OrganizationKey } from "../caller/authenticate.ts";
import type { RequestContext } from "../context.ts";
import { usageEstimate } from "../limits/usage-estimate.ts";
import { NoCharge, type RequestCharge } from "../money/charge.ts";
import { admitFree, assumedPriceHeaders, Payment, type FreeHeaders } from "../money/payment.ts";
import { quote, type PricedCandidate } from "../money/quote.ts";
import { readJsonAnswerUsage } from "../money/usage-reader.ts";
import { usageRequest } from "../money/usage-request.ts";
import { usageObserver, UsageTap } from "../money/usage-tap.ts";
import type { AlongsideOperation } from "../../store/ledger/ledger.ts";
import type { CallerPolicy } from "../policy/caller-policy.ts";
import { streamRules } from "../policy/stream-rules.ts";
import type { Candidate } from "../routing/accounts.ts";
import { tryInTurn } from "../upstream/failover.ts";
import { accountCall } from "../upstream/upstream-request.ts";
import type { Mode } from "./mode.ts";

/** The service pays the provider and debits the caller's balance. */
export class PayThrough implements Mode {
  readonly #context: RequestContext;
  readonly #key: OrganizationKey;
  readonly #inspection = new Inspection();
  /** The caller's name for the provider that it wants. */
  #providerName: string | null = null;
  #model: NamedString | null = null;
  #candidates: readonly Candidate[] = [];
  #priced: readonly PricedCandidate[] = [];
  #payment: RequestCharge | null = null;
  /** Belongs to the account that was tried last. The answer came from that account. */
  #tap: UsageTap | null = null;
  #price: Price | undefined = undefined;
  #responseBytesMax = 0;
  #createsState = false;

  constructor(context: RequestContext, key: OrganizationKey) {
    this.#context = context;
    this.#key = key;
  }

  /** Errors: `unknown_route`. */
  admit(): Outcome<null> {
    return this.#context.endpoint === null
      ? refuse("unknown_route", "There is no such endpoint.")
      : accept(null);
  }

  observeBody(): Outcome<BodyObserver> {
    return accept(this.#inspection);
  }

  read(bytes: Uint8Array): Outcome<RequestBody> {
    const taken = this.#inspection.finish(bytes);
    if (!taken.ok) return taken;
    const inspected = taken.value;
    const { format } = this.#endpoint;
    return accept({
      bytes,
      inspected,
      scanned: { kind: "provider_request", format, bytes },
      address: null,
    });
  }

  /**
   * Errors: `invalid_request` for a body that providers might read differently; those of `Accounts.route`.
   */
  route(body: RequestBody): Outcome<null> | Promise<Outcome<null>> {
    const { exchange, services } = this.#context;
    const inspected = inspectedOf(body);
    const model = modelOf(inspected);
    if (!model.ok) return model;
    const exact = checkExactMembers(this.#knownWire, inspected);
    if (!exact.ok) return exact;
    this.#providerName =
      header(exchange.head.headers, "x-svc-provider") ?? inspected.provider?.value ?? null;
    const candidates = services.accounts.route(
      this.#knownWire,
      model.value.value,
      this.#providerName,
      this.#key,
    );
    if (!candidates.ok) return candidates;
    const readable = checkReadable(this.#knownWire, inspected, candidates.value);
    if (!readable.ok) return readable;
    this.#model = model.value;
    this.#candidates = candidates.value;
    const ids = stateIdsOf(this.#knownWire, inspected);
    return ids.length === 0 ? accept(null) : this.#routeToState(ids);
  }

  /** What a provider stores is served by the account that made it. */
  async #routeToState(ids: readonly StateId[]): Promise<Outcome<null>> {
    const { providerState } = this.#context.services;
    const serving = await servingState(providerState, this.#key.orgId, ids, this.#candidates);
    if (!serving.ok) return serving;
    this.#candidates = serving.value;
    return accept(null);
  }

  cacheSubject(): CacheSubject {
    const { head } = this.#context.exchange;
    return payThroughSubject(head, this.#knownWire, this.#providerName, this.#candidates);
  }

  admitFree(): Outcome<FreeHeaders> {
    return admitFree(this.#context.services.payments, this.#key.orgId);
  }

  /** Errors: those of `quote`, `UsageReservation.reserve` and `Payment.open`. */
  reserve(body: RequestBody): Outcome<null> | Promise<Outcome<null>> {
    const { services, usage } = this.#context;
    if (!this.#endpoint.isBilled) return this.#reserveNothing();
    const inspected = inspectedOf(body);
    const at = services.wallMs();
    const quoted = quote(this.#candidates, this.#knownWire, inspected, services.findPrice, at);
    if (!quoted.ok) return quoted;
    const { estimate, candidates } = quoted.value;
    this.#priced = candidates;
    const worst = usageEstimate(this.#knownWire, inspected.bytes.length, inspected, estimate);
    const reserving = usage.reserve(this.#key, worst);
    return reserving instanceof Promise
      ? reserving.then((reserved) => this.#hold(reserved, estimate))
      : this.#hold(reserving, estimate);
  }

  #hold(reserved: Outcome<null>, estimate: MicroUsd): Outcome<null> | Promise<Outcome<null>> {
    if (!reserved.ok) return reserved;
    const { exchange, services, record } = this.#context;
    const payer = { requestId: exchange.requestId, orgId: this.#key.orgId, record };
    const opening = Payment.open(services.payments, payer, estimate);
    return opening instanceof Promise
      ? opening.then((payment) => this.#paidBy(payment))
      : this.#paidBy(opening);
  }

  #paidBy(payment: Outcome<Payment>): Outcome<null> {
    if (!payment.ok) return withCure(payment);
    this.#payment = payment.value;
    return accept(null);
  }

  /** Refuses callers whom the service would not serve at all, although it pays nothing. */
  #reserveNothing(): Outcome<null> {
    const free = this.admitFree();
    if (!free.ok) return free;
    this.#priced = this.#candidates.map((candidate) => ({ ...candidate, price: undefined }));
    this.#payment = new NoCharge(free.value);
    return accept(null);
  }

  /** Tries the accounts in turn. */
  forward(body: RequestBody, policy: CallerPolicy, isCached: boolean): Attempt | Promise<Attempt> {
    const { exchange, services, record } = this.#context;
    const wire = this.#knownWire;
    const inspected = inspectedOf(body);
    const model = inspected.model ?? this.#model;
    if (model === null) throw new Error("a request without a model was forwarded");
    const asked = usageRequest(wire, inspected);
    const own = promptCacheKeyEdits(inspected, this.#key.orgId);
    const usage = own.length === 0 ? asked : { ...asked, edits: [...asked.edits, ...own] };
    const rules = streamRules(policy, services.searchSteps, record.decides(policy));
    const { admissionHeaders } = this.#opened;
    const ours = isCached ? [...admissionHeaders, ...cacheMissHeaders] : admissionHeaders;
    this.#createsState = createsState(wire, inspected);
    return tryInTurn(this.#priced, record, (candidate, headCame) => {
      const tap = new UsageTap(wire, this.#createsState);
      this.#tap = tap;
      this.#price = candidate.price;
      const plan: RelayPlan = {
        wire,
        bufferJson: true,
        asksForStream: inspected.stream,
        drainWithoutClient: true,
        observer: usageObserver(tap, !usage.asked),
        streamRules: rules,
        headCame,
        answerHeaders: (upstream) =>
          answerHeaders(upstream, [
            ...ours,
            ...assumedPriceHeaders(assumedEntry(candidate.price)),
            ...this.servedHeaders(),
          ]),
      };
      const call = accountCall(exchange.head, wire, inspected, model, candidate, usage);
      this.#responseBytesMax = call.responseBytesMax;
      return services.forward(call, plan, exchange);
    });
  }

  readable(attempt: Attempt): Attempt | Promise<Attempt> {
    if (attempt.kind !== "buffered" || !isEncoded(attempt.headers)) return attempt;
    return decodedAnswer(attempt, this.#responseBytesMax);
  }

  settleRelayed(): void {
    if (this.#tap === null) throw new Error("an answer was settled, but no provider was called");
    const cost = this.#costOf(this.#tap.finish());
    this.#opened.settle(cost, this.#alongside(cost, this.#tap.created));
  }

  settleBuffered({ body }: BufferedAnswer): FlatHeaders | Promise<FlatHeaders> {
    const cost = this.#costOf(readJsonAnswerUsage(this.#knownWire, body));
    const created = this.#createsState ? createdIds(body) : [];
    return this.#opened.settleWhole(cost, this.#alongside(cost, created));
  }

  /**
   * What becomes durable together with the debit: the counts of usage, and whose the ids in the answer are. So
   * after a crash an id is known if its answer was paid for.
   */
  #alongside(cost: Cost, ids: readonly string[]): readonly AlongsideOperation[] {
    const { services, usage, record } = this.#context;
    const counted = usage.settle(cost);
    if (ids.length === 0 || record.account === null) return counted;
    const { orgId } = this.#key;
    const { account } = record;
    const bound = { kind: "bind", orgId, account, ids, atMs: services.wallMs() } as const;
    services.providerState.created(bound);
    return [...counted, bound];
  }

  servedHeaders(): FlatHeaders {
    const { provider, servedModel } = this.#context.record;
    if (this.#priced.length < 2 || provider === null || servedModel === null) return noHeaders;
    return ["X-Svc-Model", `${provider}/${servedModel}`];
  }

  unchargedHeaders(): FlatHeaders {
    return this.#opened.unchargedHeaders;
  }

  close(): void {
    this.#payment?.close();
  }

  /** If the cost can't be calculated, nothing is charged. */
  #costOf(report: UsageReport): Cost {
    return costOf(report, this.#price, this.#context.services.wallMs());
  }

  get #endpoint(): ModelEndpoint {
    const { endpoint } = this.#context;
    if (endpoint === null) throw new Error("a request to no known endpoint was admitted");
    return endpoint;
  }

  get #knownWire(): Wire {
    return this.#endpoint.wire;
  }

  get #opened(): RequestCharge {
    if (this.#payment === null) throw new Error("a request was forwarded without a hold");
    return this.#payment;
  }
}

const noHeaders: FlatHeaders = [];

function inspectedOf({ inspected }: RequestBody): InspectedBody {
  if (inspected === null) throw new Error("a paid request has a body that is no JSON object");
  return inspected;
}

/** Says what lowers the amount to reserve if the balance is too low: most of it is for the longest answer. */
function withCure(refused: Refused): Refused {
  const { refusal } = refused;
  if (refusal.code !== "insufficient_balance" && refusal.code !== "payg_reserved") return refused;
  const message = `${refusal.message} With a lower max_tokens it needs less.`;
  return { ok: false, refusal: { ...refusal, message } };
}

/** Errors: `invalid_request` if the body names no model. */
function modelOf({ model }: InspectedBody): Outcome<NamedString> {
  if (model === null) return refuseParameter("model", 'The member "model" must be a string.');
  // No real model name is longer, and the search for similar names would take seconds.
  if (model.value.length > modelCharsMax) {
    const fault = `The member "model" must have at most ${modelCharsMax} characters.`;
    return refuseParameter("model", fault);
  }
  return accept(model);
}
