import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { wireOfPath, type Wire } from "../contract/wire.ts";
import type { Accounts } from "./accounts.ts";
import {
  findOrganizationKey,
  readCredentials,
  type Credentials,
  type FindKey,
  type OrganizationKey,
} from "./authenticate.ts";
import { header, type Attempt, type Exchange, type Forward, type RelayPlan } from "./exchange.ts";
import { tryInTurn } from "./failover.ts";
import { answerHeaders } from "./forward-headers.ts";
import { Inspection, type InspectedBody } from "./inspect.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "./record.ts";
import { refusalAnswer } from "./refusal.ts";
import { enforce, providerRequestJob, screen, type Scan, type SecurityPolicy } from "./screen.ts";
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

/**
 * A model request, left to right: authenticate → inspect → screen → route → forward → answer →
 * record. Each step returns its value or the refusal that ends the request.
 */
export async function gateway(exchange: Exchange, services: GatewayServices): Promise<void> {
  const wire = wireOfPath.get(exchange.head.path) ?? null;
  const record = new RequestRecord(wire ?? "passthrough");
  const outcome = await serve(exchange, wire, services, record);
  if (!outcome.ok) {
    record.errorCode = outcome.refusal.code;
    record.upstreamStatus = outcome.refusal.upstreamStatus ?? record.upstreamStatus;
    exchange.respond(refusalAnswer(outcome.refusal, wire));
  }
  record.clientGone = exchange.state === "gone";
  services.records(record, exchange);
}

async function serve(
  exchange: Exchange,
  wire: Wire | null,
  services: GatewayServices,
  record: RequestRecord,
): Promise<Outcome<null>> {
  const credentials = readCredentials(exchange.head);
  if (!credentials.ok) return credentials;
  const key = findOrganizationKey(credentials.value.serviceKey, services.findKey);
  if (!key.ok) return key;
  noteCaller(record, key.value, credentials.value);
  return credentials.value.mode === "pay_through"
    ? payThrough(exchange, wire, services, record)
    : ownKeys(exchange, wire, credentials.value.upstreamUrl, services, record);
}

async function payThrough(
  exchange: Exchange,
  wire: Wire | null,
  services: GatewayServices,
  record: RequestRecord,
): Promise<Outcome<null>> {
  if (wire === null) return refuse("unknown_route", "There is no such endpoint.");
  const inspected = await takeJson(exchange, record);
  if (!inspected.ok) return inspected;
  const { model, provider, stream } = inspected.value;
  if (model === null) {
    return refuse("invalid_request", 'The member "model" must be a string.', {
      details: { param: "model" },
    });
  }
  record.model = model.value;
  record.stream = stream;
  const named = header(exchange.head.headers, "x-svc-provider") ?? provider?.value ?? null;
  const candidates = services.accounts.route(wire, model.value, named);
  if (!candidates.ok) return candidates;
  const cleared = await clear(inspected.value.bytes, exchange, wire, services, record);
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
  return finish(attempt, exchange, wire, false, record);
}

async function ownKeys(
  exchange: Exchange,
  wire: Wire | null,
  upstreamUrl: string,
  services: GatewayServices,
  record: RequestRecord,
): Promise<Outcome<null>> {
  const upstream = services.checkUpstream(upstreamUrl);
  if (!upstream.ok) return upstream;
  const body = await takeOwnKeysBody(exchange, wire, record);
  if (!body.ok) return body;
  if (body.value.bytes.length > 0) {
    const cleared = await clear(
      body.value.bytes,
      exchange,
      wire,
      services,
      record,
      body.value.text,
    );
    if (!cleared.ok) return cleared;
  }
  const plan: RelayPlan = {
    wire,
    holdJson: false,
    drainWithoutClient: false,
    answerHeaders: (headers) => answerHeaders(headers, ownKeysHeaders),
  };
  record.attempts = 1;
  const attempt = await services.forward(
    ownKeysCall(exchange.head, upstream.value, body.value.bytes),
    plan,
    exchange,
  );
  return finish(attempt, exchange, wire, true, record);
}

const ownKeysHeaders = ["X-Svc-Cost-Calculation-Status", "byok"];

function noteCaller(record: RequestRecord, key: OrganizationKey, credentials: Credentials): void {
  record.orgId = key.orgId;
  record.apiKeyId = key.id;
  record.ownKeys = credentials.mode === "own_keys";
}

async function takeJson(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<InspectedBody>> {
  const inspection = new Inspection();
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  record.bytesIn = body.value.length;
  record.bodyMs = sinceArrivalMs(exchange);
  return inspection.finish(body.value);
}

/** An own-keys body: JSON on either wire and wherever it says so, else text to be scanned as such. */
async function takeOwnKeysBody(
  exchange: Exchange,
  wire: Wire | null,
  record: RequestRecord,
): Promise<Outcome<{ readonly bytes: Uint8Array; readonly text: boolean }>> {
  const isJson = /\bjson\b/i.test(header(exchange.head.headers, "content-type") ?? "");
  if (wire !== null && exchange.head.method === "POST") {
    const inspected = await takeJson(exchange, record);
    if (!inspected.ok) return inspected;
    record.model = inspected.value.model?.value ?? null;
    record.stream = inspected.value.stream;
    return accept({ bytes: inspected.value.bytes, text: false });
  }
  const body = await exchange.readBody(null);
  if (!body.ok) return body;
  record.bytesIn = body.value.length;
  record.bodyMs = sinceArrivalMs(exchange);
  if (!isJson || body.value.length === 0) return accept({ bytes: body.value, text: true });
  const inspected = new Inspection().finish(body.value);
  return inspected.ok ? accept({ bytes: body.value, text: false }) : inspected;
}

/** Screens a body and applies the policy. */
async function clear(
  bytes: Uint8Array,
  exchange: Exchange,
  wire: Wire | null,
  services: GatewayServices,
  record: RequestRecord,
  asText = false,
): Promise<Outcome<null>> {
  const { policy } = services;
  const job = asText
    ? ({ kind: "text", bytes, sensitivity: policy.injection.sensitivity } as const)
    : providerRequestJob(bytes, wire, policy);
  const injection = await screen(job, services.scan);
  record.scanMs = sinceArrivalMs(exchange);
  if (!injection.ok) return injection;
  record.injection = injection.value;
  return enforce(injection.value, policy);
}

/** Brings what came of the call to the client, where the relay has not done it yet. */
function finish(
  attempt: Attempt,
  exchange: Exchange,
  wire: Wire | null,
  ownKeys: boolean,
  record: RequestRecord,
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
      const answer = clientAnswer(attempt, wire, ownKeys, ownKeys ? ownKeysHeaders : []);
      if (!answer.ok) return answer;
      if (attempt.status >= 400) record.errorCode = "upstream_error";
      record.end = "complete";
      exchange.respond(answer.value);
      return accept(null);
    }
  }
}
