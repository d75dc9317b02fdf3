import type { Outcome } from "../contract/outcome.ts";
import { endpointOfPath } from "../contract/endpoints/by-path.ts";
import type { ModelEndpoint } from "../contract/endpoints/endpoint.ts";
import type { Wire } from "../contract/wire.ts";
import type { Exchange, Forward, NamedUpstream } from "../exchange/exchange.ts";
import type { ResponseCache } from "./cache/response-cache.ts";
import type { FindKey } from "./caller/authenticate.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { UsageReservation, type UsageLimitServices } from "./limits/usage-reservation.ts";
import type { PaymentServices } from "./money/payment.ts";
import type { FindPrice } from "./money/quote.ts";
import type { DefaultPolicy, FindPolicy } from "./policy/caller-policy.ts";
import type { ApplyRules } from "./policy/input-rules.ts";
import type { SearchSteps } from "./policy/stream-gate.ts";
import { KeptBodies } from "./record/kept-bodies.ts";
import type { ProviderState } from "../store/provider-state/provider-state.ts";
import { RequestRecord, type Records } from "./record/record.ts";
import type { Accounts } from "./routing/accounts.ts";
import type { Scan } from "./screen/screen.ts";
import type { ResultsUrls } from "./upstream/results-url.ts";

/**
 * What the steps of a model request need. The composition root provides all of it; nothing may be missing.
 */
export interface RequestServices {
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
  readonly usageLimits: UsageLimitServices;
  readonly scan: Scan;
  /** For callers whose key and organization name no policy. */
  readonly policy: DefaultPolicy;
  readonly findPolicy: FindPolicy;
  readonly applyRules: ApplyRules;
  readonly searchSteps: SearchSteps;
  readonly accounts: Accounts;
  /** null if no request is answered from a cache. */
  readonly cache: ResponseCache | null;
  /** Checks a caller-named upstream; refuses `invalid_upstream`, `ssrf_blocked`. */
  readonly checkUpstream: (url: string) => Outcome<NamedUpstream>;
  /** Changes the URL at which a provider says that a batch's results are. */
  readonly resultsUrls: ResultsUrls;
  readonly forward: Forward;
  /** Whether own-keys requests without a service key are served. */
  readonly keylessPassthrough: boolean;
  readonly findPrice: FindPrice;
  readonly payments: PaymentServices;
  /** Whose the ids of what providers store are. */
  readonly providerState: ProviderState;
  /** Milliseconds since 1970. */
  readonly wallMs: () => number;
  readonly records: Records;
}

/** One model request. It is made once, and each step hands it to the next. */
export class RequestContext {
  readonly exchange: Exchange;
  readonly services: RequestServices;
  /** null for an own-keys path that the service does not pay for. */
  readonly endpoint: ModelEndpoint | null;
  /** The endpoint's wire. */
  readonly wire: Wire | null;
  readonly record: RequestRecord;
  readonly usage: UsageReservation;
  readonly bodies: KeptBodies;

  constructor(exchange: Exchange, services: RequestServices) {
    this.exchange = exchange;
    this.services = services;
    this.endpoint = endpointOfPath.get(exchange.head.path) ?? null;
    this.wire = this.endpoint?.wire ?? null;
    this.record = new RequestRecord(this.endpoint?.route ?? "passthrough");
    this.bodies = new KeptBodies(exchange.arrivedAtMs);
    this.record.bodies = this.bodies;
    this.usage = new UsageReservation(services.usageLimits);
    exchange.observe(this.bodies);
  }
}
