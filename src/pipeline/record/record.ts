import type { ErrorCode } from "../../contract/errors.ts";
import { modelCharsMax } from "../../contract/limits.ts";
import type { InjectionResult } from "../../contract/scan.ts";
import { toMicroseconds, type RequestFacts } from "../../contract/request-event.ts";
import type { Cost } from "../../contract/usage.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { KeptBody } from "../../store/embedded/content/content-rows.ts";
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

/** The kinds of request that records and metrics tell apart. */
export type Route =
  | "chat"
  | "messages"
  | "passthrough"
  | "control_plane"
  | "rest"
  | "batch"
  | "mcp"
  | "service"
  | "keys";

const modelRoutes: ReadonlySet<Route> = new Set(["chat", "messages", "passthrough"]);
const scanRoutes: ReadonlySet<Route> = new Set(["rest", "batch", "mcp"]);

/** `place`: where the text with the highest score stands, as `Place.label` has it; null: not told. */
export interface RecordedInjection extends InjectionResult {
  readonly place?: string | null;
}

/**
 * What is remembered of one request. Each step notes what it knows. But for `bodies`, `submission` and
 * `findings`, which go to the store of readable content alone, nothing readable of the request or the answer is in
 * it, and no secret.
 */
export class RequestRecord implements RequestFacts {
  readonly route: Route;
  orgId: string | null = null;
  apiKeyId: string | null = null;
  ownKeys = false;
  model: string | null = null;
  provider: string | null = null;
  account: string | null = null;
  attempts = 0;
  /** In their order. */
  readonly calls: ProviderCall[] = [];
  stream = false;
  /** null: the request did not use the response cache. */
  cache: "hit" | "miss" | null = null;
  bytesIn = 0;
  injection: RecordedInjection | null = null;
  /** null: the request ended before a policy was asked, or is none that policies decide on. */
  policy: PolicyRecord | null = null;
  /** Of a scan: the tokens of all that was submitted, scanned or not. */
  inputTokens: number | null = null;
  /** Of a scan that has run. */
  scanId: string | null = null;
  /** null: nothing was to be billed. */
  cost: Cost | null = null;
  errorCode: ErrorCode | null = null;
  upstreamStatus: number | null = null;
  /** The code of the last call that failed below HTTP; another account may have served since. */
  upstreamError: string | null = null;
  end: RelayEnd | null = null;
  clientGone = false;
  /** On a scan's route, and no scan: a list of tools, a batch's submission or status. */
  scansNothing = false;
  /** Milliseconds after arrival at which a step was over; null where it did not happen. */
  bodyMs: number | null = null;
  scanMs: number | null = null;
  upstreamMs: number | null = null;
  /** How long its scan waited for a thread. */
  queueMs: number | null = null;
  /** How long it took to reserve the worst case. */
  holdMs: number | null = null;
  /** Of a model call: the beginnings of its bodies. */
  bodies: KeptBodies | null = null;
  /** Of a scan. */
  submission: KeptSubmission | null = null;
  /** Of a scan that has run: its answer, but for the text. */
  findings: KeptBody | null = null;

  constructor(route: Route) {
    this.route = route;
  }

  /** What a policy decides on the request is noted here. Of two policies the first counts. */
  decides(policy: DecidingPolicy): PolicyRecord {
    return (this.policy ??= policyRecord(policy));
  }

  /** `account` null: the caller named the upstream. */
  callBegins(account: string | null): ProviderCall {
    const call = new ProviderCall(account);
    this.calls.push(call);
    return call;
  }

  /** Why a call failed below HTTP, or its answer broke off there, which no client is told. */
  failed(attempt: Attempt): void {
    this.upstreamError = causeOf(attempt) ?? this.upstreamError;
  }

  /**
   * Notes what came of a request's calls. Its outcome where there is nothing more to bring to the client: the
   * relay has done it, the client has left, or the call failed. Else the answer, which is still to be sent.
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
        // The client was told of the provider's own error by the provider itself.
        this.errorCode =
          attempt.end === "provider_error" ? "upstream_error_in_2xx" : attempt.errorCode;
        return { over: accept(null) };
      case "buffered":
        this.upstreamStatus = attempt.status;
        return { buffered: attempt };
    }
  }

  /** Milliseconds after arrival at which the answer of a model call began; null where it did not. */
  get firstByteMs(): number | null {
    return this.bodies?.firstByteMs ?? null;
  }

  /** Scans are no model calls, and model calls no scans (spec: Security Scan API). */
  get isScan(): boolean {
    return scanRoutes.has(this.route) && !this.scansNothing;
  }

  get isModelCall(): boolean {
    return modelRoutes.has(this.route);
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

/** What a record holds of the name of a model, which with own keys is any text. */
export function recordedModel(name: string | undefined): string | null {
  return name?.slice(0, modelCharsMax) ?? null;
}

/** Takes finished records: the request log, the metrics, the audit log, kept content. */
export type Records = (record: RequestRecord, exchange: ServedExchange) => void;

/** Milliseconds since the request arrived, to the microsecond. */
export function sinceArrivalMs(exchange: Pick<Exchange, "arrivedAtMs">): number {
  return toMicroseconds(performance.now() - exchange.arrivedAtMs);
}
