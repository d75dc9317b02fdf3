import { accept, type Outcome } from "../contract/outcome.ts";
import type { InjectionResult } from "../contract/scan.ts";
import type { Wire } from "../contract/wire.ts";
import type { Edit } from "../json/splice.ts";
import type { ScanJob } from "../workers/pool/scan-job.ts";
import type { Accounts } from "./routing/accounts.ts";
import { noteAttempt } from "./record/attempt-record.ts";
import type { HeldAnswer } from "../exchange/exchange.ts";
import type { FindKey } from "./caller/authenticate.ts";
import type { ResponseCache } from "./cache/response-cache.ts";
import type { RecordedExchange } from "./record/recorded-exchange.ts";
import type { Attempt, FlatHeaders, Forward } from "../exchange/exchange.ts";
import type { InspectedBody } from "./body/inspect.ts";
import { takeJsonBody } from "./body/json-body.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { UsageHold, UsageLimitServices } from "./limits/usage-hold.ts";
import type { PaymentServices } from "./money/payment.ts";
import type { FindPrice } from "./money/quote.ts";
import {
  recordedModel,
  sinceArrivalMs,
  type Records,
  type RequestRecord,
} from "./record/record.ts";
import type { CallerPolicy, DefaultPolicy, FindPolicy } from "./policy/caller-policy.ts";
import { applyInputRules, type ApplyRules } from "./policy/input-rules.ts";
import { applyOutputRules } from "./policy/output-rules.ts";
import { policyRecord } from "./record/policy-record.ts";
import type { SearchSteps } from "./policy/stream-gate.ts";
import type { ResultsUrls } from "./upstream/results-url.ts";
import { enforce, screen, type Scan } from "./screen/screen.ts";
import { clientAnswer } from "./upstream/upstream-answer.ts";
import type { NamedUpstream } from "./upstream/upstream-request.ts";

/** What the gateway's steps need; the composition root hands it in. */
export interface GatewayServices {
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
  readonly usageLimits: UsageLimitServices;
  readonly scan: Scan;
  /** Of callers whose key and organization name no policy. */
  readonly policy: DefaultPolicy;
  /** Absent: everybody has the default one. */
  readonly findPolicy?: FindPolicy;
  /** Absent: whoever's policy has rules is refused. */
  readonly applyRules?: ApplyRules;
  /** Absent: streams to whose policy rules something is to be done are refused. */
  readonly searchSteps?: SearchSteps;
  readonly accounts: Accounts;
  /** Absent: no request is answered from it. */
  readonly cache?: ResponseCache;
  /** Checks a caller-named upstream; refuses `invalid_upstream`, `ssrf_blocked`. */
  readonly checkUpstream: (url: string) => Outcome<NamedUpstream>;
  /** Absent: what providers say of where a batch's results are stays as it is. */
  readonly resultsUrls?: ResultsUrls;
  readonly forward: Forward;
  /** Whether own-keys requests without a service key are served. */
  readonly keylessPassthrough: boolean;
  readonly findPrice: FindPrice;
  readonly payments: PaymentServices;
  /** Milliseconds since 1970. */
  readonly wallMs: () => number;
  readonly records: Records;
}

/** One request on its way through the steps. */
export interface Passage {
  readonly exchange: RecordedExchange;
  /** null: an own-keys path that is neither wire. */
  readonly wire: Wire | null;
  readonly services: GatewayServices;
  readonly record: RequestRecord;
  readonly usage: UsageHold;
}

/** Takes the body as JSON and notes what it says of itself. */
export async function takeJson({ exchange, record }: Passage): Promise<Outcome<InspectedBody>> {
  const inspected = await takeJsonBody(exchange, record);
  if (!inspected.ok) return inspected;
  record.model = recordedModel(inspected.value.model?.value);
  record.stream = inspected.value.stream;
  return inspected;
}

/**
 * Screens a body, or a text beside it, and applies the policy; no verdict, no forward. The body goes on
 * with the edits that the policy asks for. Of several the record holds the highest score.
 */
export async function clear(
  passage: Passage,
  job: ScanJob,
  policy: CallerPolicy,
): Promise<Outcome<readonly Edit[]>> {
  const { exchange, services, record } = passage;
  const noted = (record.policy ??= policyRecord(policy));
  const [injection, edits] = await Promise.all([
    screen(job, services.scan, record),
    applyInputRules(job, policy, services.applyRules, noted),
  ]);
  record.scanMs = sinceArrivalMs(exchange);
  if (!injection.ok) return injection;
  const verdict = injection.value;
  if (!isBelow(verdict.injection, record.injection)) {
    record.injection = { ...verdict.injection, place: verdict.worst?.label ?? null };
  }
  const replaced = enforce(verdict, policy, noted, exchange.requestId);
  if (!replaced.ok || !edits.ok) return replaced.ok ? edits : replaced;
  return accept(withoutReplaced(edits.value, replaced.value));
}

/** What stands in a text that is replaced needs no edit of its own. */
function withoutReplaced(edits: readonly Edit[], replaced: readonly Edit[]): readonly Edit[] {
  if (replaced.length === 0 || edits.length === 0) return replaced.length === 0 ? edits : replaced;
  const texts = replaced.toSorted((a, b) => a.start - b.start);
  let next = 0;
  const left = edits
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      while (next < texts.length && (texts[next]?.end ?? 0) <= start) next++;
      return end <= (texts[next]?.start ?? Infinity);
    });
  return [...left, ...texts];
}

/** A missing score counts as the highest, because it blocks. */
function isBelow({ score }: InjectionResult, other: InjectionResult | null): boolean {
  return other !== null && (score ?? 1) < (other.score ?? 1);
}

/** What we say beside a whole answer of a provider, in headers. */
export interface OurHeaders {
  /** Asked for once, of an answer that goes to the client; what it costs is settled then. */
  readonly good: (held: HeldAnswer) => FlatHeaders | Promise<FlatHeaders>;
  /** Of an answer that tells of a failure. */
  readonly failed: () => FlatHeaders;
}

/**
 * Brings what came of the call to the client, where the relay has not, and applies the policy's rules
 * for answers to one that is still in our hands; one that they block costs nothing.
 */
export async function finish(
  { exchange, wire, services, record, usage }: Passage,
  attempt: Attempt,
  policy: CallerPolicy,
  ours: OurHeaders,
): Promise<Outcome<null>> {
  record.upstreamMs = sinceArrivalMs(exchange);
  usage.attempted(attempt);
  const noted = noteAttempt(attempt, record);
  if ("over" in noted) return noted.over;
  const { held } = noted;
  const answer = clientAnswer(held, exchange.head.method, wire, record.ownKeys);
  if (!answer.ok) return answer;
  const { status, headers } = answer.value;
  const decided = (record.policy ??= policyRecord(policy));
  const ruled = await applyOutputRules(held, policy, services.applyRules, decided);
  if (!ruled.ok) return ruled;
  record.end = "complete";
  if (status >= 400) record.errorCode = "upstream_error";
  if (status < 300) usage.served();
  const added = status >= 400 ? ours.failed() : await ours.good(held);
  exchange.respond({ status, headers: [...headers, ...added], body: ruled.value });
  return accept(null);
}
