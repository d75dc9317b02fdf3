import { modelRoutes, type ModelRoute } from "../../contract/endpoints/endpoint.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { modelCharsMax } from "../../contract/limits.ts";
import type { InjectionResult } from "../../contract/scan.ts";
import {
  toMicroseconds,
  type MatchCounts,
  type RequestFacts,
  type Tags,
} from "../../contract/request-event.ts";
import type { Cost } from "../../contract/usage.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { KeptBody } from "../../store/content/content.ts";
import type { KeptSubmission } from "./submission.ts";
import type {
  Attempt,
  Exchange,
  BufferedAnswer,
  RelayEnd,
  ServedExchange,
} from "../../exchange/exchange.ts";
import type { KeptBodies } from "./kept-bodies.ts";
import { policyRecord, type DecidingPolicy, type PolicyRecord } from "./policy-record.ts";
import { ProviderCall } from "./provider-call.ts";

/** The kinds of requests that records and metrics distinguish. */
export type Route =
  ModelRoute | "passthrough" | "control_plane" | "rest" | "batch" | "mcp" | "service" | "keys";

const modelCalls: ReadonlySet<Route> = new Set<Route>([...modelRoutes, "passthrough"]);
const scanRoutes: ReadonlySet<Route> = new Set(["rest", "batch", "mcp"]);

/** `place` is the place of the text with the highest score, as in `Place.label`; null if it is unknown. */
export interface RecordedInjection extends InjectionResult {
  readonly place?: string | null;
}

/**
 * What is remembered of one request. Each step notes what it knows. `bodies`, `submission` and `findings` go
 * only to the store of readable content. Apart from them, the record holds no secret and no readable text of
 * the request or the answer.
 */
export class RequestRecord implements RequestFacts {
  readonly route: Route;
  orgId: string | null = null;
  apiKeyId: string | null = null;
  /** The name of the key's team. */
  team: string | null = null;
  /** What the caller has written into `X-Svc-Tags`; null if nothing, or if it has no key. */
  tags: Tags | null = null;
  /** Of the client's socket; only noted where there is no organization. */
  address: string | null = null;
  ownKeys = false;
  model: string | null = null;
  provider: string | null = null;
  account: string | null = null;
  /** The configured model that was called last, as its account names it; null if none was. */
  servedModel: string | null = null;
  attempts = 0;
  /** In order. */
  readonly calls: ProviderCall[] = [];
  stream = false;
  /** null if the request did not use the response cache. */
  cache: "hit" | "miss" | null = null;
  bytesIn = 0;
  injection: RecordedInjection | null = null;
  /** null if the request ended before a policy was asked, or if policies don't apply to it. */
  policy: PolicyRecord | null = null;
  /** For a scan: the tokens of everything that was submitted, scanned or not. */
  inputTokens: number | null = null;
  /** For a scan that has run. */
  scanId: string | null = null;
  /** For a scan that looked for entities: what it found, by label. */
  findingCounts: MatchCounts | null = null;
  /** null if nothing was to be billed. */
  cost: Cost | null = null;
  errorCode: ErrorCode | null = null;
  upstreamStatus: number | null = null;
  /** The code of the last call that failed below HTTP. Another account may have served the request since. */
  upstreamError: string | null = null;
  end: RelayEnd | null = null;
  clientGone = false;
  /**
   * True for a request on a scan's route that is no scan: a list of tools, a batch's submission or status.
   */
  scansNothing = false;
  /** Milliseconds after arrival at which a step ended; null if it did not happen. */
  bodyMs: number | null = null;
  scanMs: number | null = null;
  upstreamMs: number | null = null;
  /** How long the scan waited for a thread. */
  queueMs: number | null = null;
  /** How long it took to reserve the worst case. */
  holdMs: number | null = null;
  /** For a model call: the beginnings of its bodies. */
  bodies: KeptBodies | null = null;
  /** For a scan. */
  submission: KeptSubmission | null = null;
  /** For a scan that has run: its answer without the text. */
  findings: KeptBody | null = null;

  constructor(route: Route) {
    this.route = route;
  }

  /** The place to note what a policy decides on the request. Of two policies the first counts. */
  decides(policy: DecidingPolicy): PolicyRecord {
    return (this.policy ??= policyRecord(policy));
  }

  /** `account` is null if the caller named the upstream. */
  callBegins(account: string | null): ProviderCall {
    const call = new ProviderCall(account);
    this.calls.push(call);
    return call;
  }

  /** Notes why a call failed, or its answer broke off, below HTTP. Clients are not told this. */
  failed(attempt: Attempt): void {
    this.upstreamError = causeOf(attempt) ?? this.upstreamError;
  }

  /**
   * Notes the result of a request's calls. Returns the outcome if nothing is left to send: the relay has sent
   * the answer, the client has left, or the call failed. Else returns the answer, which is still to be sent.
   */
  attempted(
    attempt: Attempt,
  ): { readonly over: Outcome<null> } | { readonly buffered: BufferedAnswer } {
    this.failed(attempt);
    switch (attempt.kind) {
      case "unsent":
      case "failed":
        return { over: { ok: false, refusal: attempt.refusal } };
      case "abandoned":
        this.end = "abandoned";
        return { over: accept(null) };
      case "relayed":
        this.upstreamStatus = attempt.status;
        this.end = attempt.end;
        // The provider itself has told the client of its own error.
        this.errorCode =
          attempt.end === "provider_error" ? "upstream_error_in_2xx" : attempt.errorCode;
        return { over: accept(null) };
      case "buffered":
        this.upstreamStatus = attempt.status;
        return { buffered: attempt };
    }
  }

  /** Milliseconds after arrival at which the answer of a model call began; null if it did not. */
  get firstByteMs(): number | null {
    return this.bodies?.firstByteMs ?? null;
  }

  /** A scan is no model call, and a model call is no scan (spec: Security Scan API). */
  get isScan(): boolean {
    return scanRoutes.has(this.route) && !this.scansNothing;
  }

  get isModelCall(): boolean {
    return modelCalls.has(this.route);
  }
}

function causeOf(attempt: Attempt): string | undefined {
  switch (attempt.kind) {
    case "unsent":
    case "failed":
      return attempt.refusal.upstreamError;
    case "relayed":
      return attempt.upstreamError;
    case "buffered":
    case "abandoned":
      return undefined;
  }
}

/** The part of a model's name that a record keeps. With own keys the name can be any text. */
export function recordedModel(name: string | undefined): string | null {
  return name?.slice(0, modelCharsMax) ?? null;
}

/** Takes finished records for the request log, the metrics, the audit log and kept content. */
export type Records = (record: RequestRecord, exchange: ServedExchange) => void;

/** Milliseconds since the request arrived, to the microsecond. */
export function sinceArrivalMs(exchange: Pick<Exchange, "arrivedAtMs">): number {
  return toMicroseconds(performance.now() - exchange.arrivedAtMs);
}
