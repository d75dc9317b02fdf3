import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { wireOfPath, type Wire } from "../contract/wire.ts";
import type { ScanJob } from "../workers/scan-job.ts";
import type { Accounts } from "./accounts.ts";
import { authenticate, type FindKey } from "./authenticate.ts";
import { header, type Attempt, type Exchange, type Forward, type RelayPlan } from "./exchange.ts";
import { tryInTurn } from "./failover.ts";
import { answerHeaders } from "./forward-headers.ts";
import type { InspectedBody } from "./inspect.ts";
import { takeJsonBody } from "./json-body.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "./record.ts";
import { refusalAnswer } from "./refusal.ts";
import {
  enforce,
  providerRequestJob,
  screen,
  textJob,
  type Scan,
  type SecurityPolicy,
} from "./screen.ts";
import { clientAnswer } from "./upstream-answer.ts";
import { accountCall, ownKeysCall, type NamedUpstream } from "./upstream-request.ts";

/** What the gateway's steps need; the composition root hands it in. */
export interface GatewayServices {
  readonly findKey: FindKey;
  readonly scan: Scan;
  readonly policy: SecurityPolicy;
  readonly accounts: Accounts;
  /** Checks a caller-named upstream; refuses `invalid_upstream`, `ssrf_blocked`. */
  readonly checkUpstream: (url: string) => Outcome<NamedUpstream>;
  readonly forward: Forward;
  readonly records: Records;
}

/** One request on its way through the steps. */
interface Passage {
  readonly exchange: Exchange;
  /** null: an own-keys path that is neither wire. */
  readonly wire: Wire | null;
  readonly services: GatewayServices;
  readonly record: RequestRecord;
}

/**
 * A model request, left to right: authenticate → inspect → screen → route → forward → answer →
 * record. Each step returns its value or the refusal that ends the request.
 */
export async function gateway(exchange: Exchange, services: GatewayServices): Promise<void> {
  const wire = wireOfPath.get(exchange.head.path) ?? null;
  const record = new RequestRecord(wire ?? "passthrough");
  const outcome = await serve({ exchange, wire, services, record });
  if (!outcome.ok) {
    record.errorCode = outcome.refusal.code;
    record.upstreamStatus = outcome.refusal.upstreamStatus ?? record.upstreamStatus;
    exchange.respond(refusalAnswer(outcome.refusal, wire));
  }
  record.clientGone = exchange.state === "gone";
  services.records(record, exchange);
}

async function serve(passage: Passage): Promise<Outcome<null>> {
  const { exchange, services, record } = passage;
  const caller = authenticate(exchange.head, services.findKey);
  if (!caller.ok) return caller;
  const { key, credentials } = caller.value;
  record.orgId = key.orgId;
  record.apiKeyId = key.id;
  record.ownKeys = credentials.mode === "own_keys";
  return credentials.mode === "pay_through"
    ? payThrough(passage, key.orgId)
    : ownKeys(passage, key.orgId, credentials.upstreamUrl);
}

async function payThrough(passage: Passage, orgId: string): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  if (wire === null) return refuse("unknown_route", "There is no such endpoint.");
  const inspected = await takeJson(passage);
  if (!inspected.ok) return inspected;
  const { bytes, model, provider } = inspected.value;
  if (model === null) {
    return refuse("invalid_request", 'The member "model" must be a string.', {
      details: { param: "model" },
    });
  }
  const named = header(exchange.head.headers, "x-svc-provider") ?? provider?.value ?? null;
  const candidates = services.accounts.route(wire, model.value, named);
  if (!candidates.ok) return candidates;
  const cleared = await clear(passage, providerRequestJob(bytes, wire, services.policy, orgId));
  if (!cleared.ok) return cleared;
  const plan: RelayPlan = {
    wire,
    holdJson: true,
    drainWithoutClient: true,
    answerHeaders: (upstream) => answerHeaders(upstream, []),
  };
  const attempt = await tryInTurn(candidates.value, record, (candidate) =>
    services.forward(
      accountCall(exchange.head, wire, inspected.value, model, candidate),
      plan,
      exchange,
    ),
  );
  return finish(passage, attempt, false);
}

async function ownKeys(
  passage: Passage,
  orgId: string,
  upstreamUrl: string,
): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  const upstream = services.checkUpstream(upstreamUrl);
  if (!upstream.ok) return upstream;
  const body = await takeOwnKeysBody(passage, orgId);
  if (!body.ok) return body;
  const { bytes, job } = body.value;
  const cleared = job === null ? accept(null) : await clear(passage, job);
  if (!cleared.ok) return cleared;
  const plan: RelayPlan = {
    wire,
    holdJson: false,
    drainWithoutClient: false,
    answerHeaders: (headers) => answerHeaders(headers, ownKeysAnswerHeaders),
  };
  record.attempts = 1;
  const call = ownKeysCall(exchange.head, upstream.value, bytes);
  return finish(passage, await services.forward(call, plan, exchange), true);
}

const ownKeysAnswerHeaders = ["X-Svc-Cost-Calculation-Status", "byok"];

/** Takes the body as JSON and notes what it says of itself. */
async function takeJson({ exchange, record }: Passage): Promise<Outcome<InspectedBody>> {
  const inspected = await takeJsonBody(exchange, record);
  if (!inspected.ok) return inspected;
  record.model = inspected.value.model?.value ?? null;
  record.stream = inspected.value.stream;
  return inspected;
}

/** An own-keys body with its scan: JSON on either wire and where it says so, else plain text. */
async function takeOwnKeysBody(
  passage: Passage,
  orgId: string,
): Promise<Outcome<{ readonly bytes: Uint8Array; readonly job: ScanJob | null }>> {
  const { exchange, wire, services, record } = passage;
  const { method, headers } = exchange.head;
  const isJson = /\bjson\b/i.test(header(headers, "content-type") ?? "");
  if (method === "POST" && (wire !== null || isJson)) {
    const inspected = await takeJson(passage);
    if (!inspected.ok) return inspected;
    const { bytes } = inspected.value;
    return accept({ bytes, job: providerRequestJob(bytes, wire, services.policy, orgId) });
  }
  const body = await exchange.readBody(null);
  if (!body.ok) return body;
  const bytes = body.value;
  record.bytesIn = bytes.length;
  record.bodyMs = sinceArrivalMs(exchange);
  const job = bytes.length === 0 ? null : textJob(bytes, services.policy, orgId);
  return accept({ bytes, job });
}

/** Screens a body and applies the policy; no verdict, no forward. */
async function clear(passage: Passage, job: ScanJob): Promise<Outcome<null>> {
  const { exchange, services, record } = passage;
  const injection = await screen(job, services.scan);
  record.scanMs = sinceArrivalMs(exchange);
  if (!injection.ok) return injection;
  record.injection = injection.value;
  return enforce(injection.value, services.policy);
}

/** Brings what came of the call to the client, where the relay has not done it yet. */
function finish(
  { exchange, wire, record }: Passage,
  attempt: Attempt,
  ownKeys: boolean,
): Outcome<null> {
  record.upstreamMs = sinceArrivalMs(exchange);
  switch (attempt.kind) {
    case "unsent":
    case "failed":
      return { ok: false, refusal: attempt.refusal };
    case "abandoned":
      record.end = "abandoned";
      return accept(null);
    case "relayed":
      record.upstreamStatus = attempt.status;
      record.end = attempt.end;
      record.errorCode = attempt.errorCode;
      return accept(null);
    case "held": {
      record.upstreamStatus = attempt.status;
      const answer = clientAnswer(attempt, wire, ownKeys, ownKeys ? ownKeysAnswerHeaders : []);
      if (!answer.ok) return answer;
      if (attempt.status >= 400) record.errorCode = "upstream_error";
      record.end = "complete";
      exchange.respond(answer.value);
      return accept(null);
    }
  }
}
