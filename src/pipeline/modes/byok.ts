import type { NamedUpstream } from "../../exchange/exchange.ts";
import { refuse } from "../../contract/errors.ts";
import { cacheAnswerBytesMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { bodyShapeOfPath } from "../../contract/endpoints/by-path.ts";
import {
  header,
  type Attempt,
  type BodyObserver,
  type BufferedAnswer,
  type FlatHeaders,
  type RelayPlan,
  type RequestHead,
} from "../../exchange/exchange.ts";
import { passedHeaders } from "../../exchange/forward-headers.ts";
import { holdsServiceKey } from "../../exchange/service-key-text.ts";
import { ledgerUnavailable } from "../../store/ledger/hold-refusals.ts";
import { byokReading, readByokBody, type ByokReading } from "../body/byok-body.ts";
import type { RequestBody } from "../body/request-body.ts";
import { cacheMissHeaders } from "../cache/cache-entry.ts";
import { byokSubject, type CacheSubject } from "../cache/cache-subject.ts";
import type { OrganizationKey } from "../caller/authenticate.ts";
import type { RequestContext } from "../context.ts";
import { usageEstimate } from "../limits/usage-estimate.ts";
import { ByokUsage, withoutEncoding } from "../money/byok-usage.ts";
import type { FreeHeaders } from "../money/payment.ts";
import type { CallerPolicy } from "../policy/caller-policy.ts";
import { streamRules } from "../policy/stream-rules.ts";
import type { ProviderCall } from "../record/provider-call.ts";
import { forbiddenModel } from "../routing/accounts.ts";
import { mayUseModel } from "../routing/allowed-models.ts";
import { byokCall } from "../upstream/upstream-request.ts";
import type { Mode } from "./mode.ts";

/** The caller's own provider key goes to the upstream that the caller names. Nothing is billed. */
export class Byok implements Mode {
  readonly #context: RequestContext;
  /** null for keyless passthrough, which belongs to no organization. */
  readonly #key: OrganizationKey | null;
  readonly #upstreamUrl: string;
  #upstream: NamedUpstream | null = null;
  #reading: ByokReading | null = null;
  #call: ProviderCall | null = null;
  /** True if the answer names addresses of the upstream that the client must reach through the gateway. */
  #rewrites = false;
  /** null if nothing needs to know how many tokens the answer has used. */
  #usage: ByokUsage | null = null;

  constructor(context: RequestContext, key: OrganizationKey | null, upstreamUrl: string) {
    this.#context = context;
    this.#key = key;
    this.#upstreamUrl = upstreamUrl;
  }

  /**
   * Errors: `internal_error` while nothing can be recorded, `invalid_upstream`, `ssrf_blocked`, those of
   * `checkTarget`.
   */
  admit(): Outcome<null> {
    const { exchange, services } = this.#context;
    // Nothing is billed, but every request leaves an audit record.
    if (services.payments.ledger.full) return ledgerUnavailable;
    const upstream = services.checkUpstream(this.#upstreamUrl);
    if (!upstream.ok) return upstream;
    this.#upstream = upstream.value;
    return checkTarget(exchange.head, upstream.value);
  }

  observeBody(): Outcome<BodyObserver | null> {
    const reading = byokReading(this.#context.exchange.head);
    if (!reading.ok) return reading;
    this.#reading = reading.value;
    return accept(reading.value.observer);
  }

  read(bytes: Uint8Array): Outcome<RequestBody> {
    if (this.#reading === null) throw new Error("a body was read that nobody asked for");
    return readByokBody(this.#reading, bytes);
  }

  /** Errors: `model_not_allowed`. */
  route({ inspected }: RequestBody): Outcome<null> {
    const model = inspected?.model?.value;
    if (this.#key === null || model === undefined) return accept(null);
    return mayUseModel(this.#key, model, []) ? accept(null) : forbiddenModel(model);
  }

  /** Only model requests of an organization use the cache. */
  cacheSubject(): CacheSubject | null {
    const { exchange, wire } = this.#context;
    const { head } = exchange;
    if (this.#key === null || wire === null || head.method !== "POST") return null;
    return byokSubject(head, wire, this.#named);
  }

  admitFree(): Outcome<FreeHeaders> {
    return nothingToTell;
  }

  /** Errors: those of `UsageReservation.reserve`. */
  reserve({ bytes, inspected }: RequestBody): Outcome<null> | Promise<Outcome<null>> {
    const { endpoint, wire } = this.#context;
    if (this.#key === null || endpoint?.isBilled === false) return accept(null);
    return this.#context.usage.reserve(this.#key, usageEstimate(wire, bytes.length, inspected, 0n));
  }

  /** Calls the named upstream once. The answer is buffered only if something has to read it. */
  forward(body: RequestBody, policy: CallerPolicy, isCached: boolean): Promise<Attempt> {
    const { exchange, services, record, wire, usage } = this.#context;
    const { head } = exchange;
    const { method, path } = head;
    const ours = isCached ? uncachedHeaders : ownHeaders;
    if (wire !== null && usage.limitsTokens) this.#usage = new ByokUsage(wire);
    this.#rewrites = this.#key !== null && services.resultsUrls.concerns(head);
    const isReadWhole = this.#usage !== null || policy.output !== null || this.#rewrites;
    const noted = (this.#call = record.callBegins(null));
    const plan: RelayPlan = {
      // The answer to a HEAD has no events, whatever its content type says.
      wire: method === "HEAD" ? null : wire,
      ...(method === "POST" && bodyShapeOfPath(path) === "responses" ? passedResponses : {}),
      bufferJson: isReadWhole || isCached,
      asksForStream: wire !== null && record.stream,
      // If only the cache reads the answer, no more is buffered than the cache would keep.
      ...(isReadWhole ? {} : { bufferedBytesMax: cacheAnswerBytesMax }),
      drainWithoutClient: false,
      observer: this.#usage?.observer ?? null,
      streamRules: streamRules(policy, services.searchSteps, record.decides(policy)),
      headCame: noted.headCame,
      answerHeaders: (headers) => passedHeaders(method, headers, ours),
    };
    record.attempts = 1;
    const verbatim = byokCall(head, this.#named, body.bytes);
    const call = isReadWhole || isCached ? withoutEncoding(verbatim) : verbatim;
    return services.forward(call, plan, exchange);
  }

  readable(attempt: Attempt): Attempt | Promise<Attempt> {
    this.#call?.ended(attempt);
    const { resultsUrls } = this.#context.services;
    return this.#rewrites ? resultsUrls.rewritten(attempt, this.#named) : attempt;
  }

  settleRelayed(): void {
    if (this.#usage !== null) this.#context.usage.answered(this.#usage.ofStream());
  }

  settleBuffered({ body }: BufferedAnswer): FlatHeaders {
    if (this.#usage !== null) this.#context.usage.answered(this.#usage.ofBody(body));
    return ownHeaders;
  }

  servedHeaders(): FlatHeaders {
    return none;
  }

  unchargedHeaders(): FlatHeaders {
    return none;
  }

  close(): void {
    // The request itself gives back usage limits, and nothing else is reserved.
  }

  get #named(): NamedUpstream {
    if (this.#upstream === null) throw new Error("a request was admitted without an upstream");
    return this.#upstream;
  }
}

const none: FlatHeaders = [];
const passedResponses = { passedShape: "responses" } as const;
const ownHeaders: FlatHeaders = ["X-Svc-Cost-Calculation-Status", "byok"];
const uncachedHeaders: FlatHeaders = [...ownHeaders, ...cacheMissHeaders];
const nothingToTell = accept<FreeHeaders>({ streamed: none, whole: none });

/**
 * Refuses requests that can't be sent verbatim to any upstream: CONNECT, WebSockets, a target that is not a
 * path, a service key in the address.
 */
function checkTarget(head: RequestHead, upstream: NamedUpstream): Outcome<null> {
  if (head.method === "CONNECT") {
    return refuse("method_not_allowed", "CONNECT is not forwarded.");
  }
  if (head.method === "GET" && /^websocket$/i.test(header(head.headers, "upgrade") ?? "")) {
    return refuse(
      "websocket_unsupported",
      "WebSockets are not forwarded; ask for server-sent events.",
      { headers: ["Upgrade", "HTTP/1.1"] },
    );
  }
  // A target in absolute form names a host of its own. A proxy behind the upstream might follow it.
  if (!head.path.startsWith("/")) {
    return refuse("invalid_request", "The request's target must be a path.");
  }
  if (holdsServiceKey(upstream.origin + upstream.basePath) || holdsServiceKey(head.path)) {
    return refuse("invalid_request", "A service key in an address is not forwarded.");
  }
  return accept(null);
}
