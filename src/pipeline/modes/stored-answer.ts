import type { ProviderAccount } from "../../contract/account.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Attempt, BodyObserver, FlatHeaders, RelayPlan } from "../../exchange/exchange.ts";
import { answerHeaders } from "../../exchange/forward-headers.ts";
import type { RequestBody } from "../body/request-body.ts";
import type { OrganizationKey } from "../caller/authenticate.ts";
import type { RequestContext } from "../context.ts";
import { NoCharge } from "../money/charge.ts";
import { admitFree, type FreeHeaders } from "../money/payment.ts";
import type { CallerPolicy } from "../policy/caller-policy.ts";
import { streamRules } from "../policy/stream-rules.ts";
import type { ProviderCall } from "../record/provider-call.ts";
import { unusable } from "../routing/accounts.ts";
import { findSoon, mayKnow, unknownState } from "../state/check-state.ts";
import { storedCall } from "../upstream/upstream-request.ts";
import type { Mode } from "./mode.ts";

/** A stored response, what was sent for it, or the end of its making. */
const storedPath = /^\/v1\/responses\/([^/]+)(?:\/(?:cancel|input_items))?$/;

export function namesStored(path: string): boolean {
  return storedPath.test(path);
}

/**
 * Reads, ends or deletes what a provider stores, for the organization that has created it. The account that made
 * it is asked. Nothing is billed, and the rules for answers hold as they did when it was made.
 */
export class StoredAnswer implements Mode {
  readonly #context: RequestContext;
  readonly #key: OrganizationKey;
  #account: ProviderAccount | null = null;
  #charge: NoCharge | null = null;
  #call: ProviderCall | null = null;

  constructor(context: RequestContext, key: OrganizationKey) {
    this.#context = context;
    this.#key = key;
  }

  admit(): Outcome<null> {
    return accept(null);
  }

  observeBody(): Outcome<BodyObserver | null> {
    return accept(null);
  }

  /** A body says nothing here, and does not go on. */
  read(bytes: Uint8Array): Outcome<RequestBody> {
    return accept({ bytes, inspected: null, scanned: null, address: null });
  }

  /** Errors: `not_found`; `missing_credentials`. */
  async route(): Promise<Outcome<null>> {
    const { exchange, services } = this.#context;
    const [, id = ""] = storedPath.exec(exchange.head.path) ?? [];
    const { orgId } = this.#key;
    const maker = await findSoon(services.providerState, orgId, id);
    const account = services.accounts.serving.find(
      (one) => one.wires.includes("responses") && mayKnow(one, maker, orgId),
    );
    if (account === undefined) return unknownState("id");
    this.#account = account;
    return unusable(account) ?? accept(null);
  }

  cacheSubject(): null {
    return null;
  }

  admitFree(): Outcome<FreeHeaders> {
    return admitFree(this.#context.services.payments, this.#key.orgId);
  }

  /** Errors: those of `admitFree`. */
  reserve(): Outcome<null> {
    const free = this.admitFree();
    if (!free.ok) return free;
    this.#charge = new NoCharge(free.value);
    return accept(null);
  }

  forward(_body: RequestBody, policy: CallerPolicy): Promise<Attempt> {
    const { exchange, services, record } = this.#context;
    const account = this.#account;
    if (account === null) throw new Error("a stored answer was asked for at no account");
    record.attempts = 1;
    record.provider = account.provider;
    record.account = account.name;
    const call = (this.#call = record.callBegins(account.name));
    const plan: RelayPlan = {
      wire: "responses",
      bufferJson: true,
      drainWithoutClient: false,
      observer: null,
      streamRules: streamRules(policy, services.searchSteps, record.decides(policy)),
      headCame: call.headCame,
      answerHeaders: (upstream) => answerHeaders(upstream, this.#opened.admissionHeaders),
    };
    return services.forward(storedCall(exchange.head, account), plan, exchange);
  }

  readable(attempt: Attempt): Attempt {
    this.#call?.ended(attempt);
    return attempt;
  }

  settleRelayed(): void {
    // It was paid for when it was made.
  }

  settleBuffered(): FlatHeaders {
    return this.#opened.unchargedHeaders;
  }

  servedHeaders(): FlatHeaders {
    return [];
  }

  unchargedHeaders(): FlatHeaders {
    return this.#opened.unchargedHeaders;
  }

  close(): void {
    // Nothing was reserved.
  }

  get #opened(): NoCharge {
    if (this.#charge === null) throw new Error("a request was forwarded that was not admitted");
    return this.#charge;
  }
}
