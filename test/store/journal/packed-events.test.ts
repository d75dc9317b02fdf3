import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalEvent } from "../../../src/contract/audit.ts";
import { packedBytesKeptMax } from "../../../src/contract/limits.ts";
import { formatUsd, microUsd } from "../../../src/contract/money.ts";
import {
  toMicroseconds,
  type RequestEvent,
  type RequestFacts,
} from "../../../src/contract/request-event.ts";
import { costStatuses, noUsage, usageBucketNames } from "../../../src/contract/usage.ts";
import { EventPacker } from "../../../src/store/journal/event-packer.ts";
import { unpackLines, type PackedEvents } from "../../../src/store/journal/packed-events.ts";

const createdAtMs = Date.parse("2026-01-17T09:30:00.000Z");

const facts: RequestFacts = {
  route: "chat",
  isScan: false,
  apiKeyId: "key_1",
  team: null,
  account: null,
  calls: [],
  upstreamStatus: null,
  cache: null,
  findingCounts: null,
  provider: "openai",
  model: "openai/gpt-5.1",
  servedModel: "gpt-5.1",
  errorCode: null,
  stream: true,
  end: "complete",
  clientGone: false,
  injection: { verdict: "allow", score: 0.02 },
  policy: {
    id: "default",
    version: 1,
    action: "redact",
    dryRun: false,
    input: { pii: 2 },
    output: null,
  },
  cost: {
    costMicroUsd: microUsd(31n),
    buckets: { ...noUsage, uncachedInput: 812, outputText: 96 },
    assumedPrice: null,
    serviceTier: null,
  },
  inputTokens: null,
  scanId: null,
  bodyMs: 0.125,
  queueMs: 0.0321,
  scanMs: 0.5004,
  holdMs: 0.01,
  firstByteMs: 3.14159,
};

const completed: RequestEvent = {
  eventType: "request.completed",
  orgId: "org_1",
  requestId: "request-1",
  httpStatus: 200,
  facts,
  costStatus: "calculated",
  inputSha256: null,
  tags: null,
  totalMs: 12.346,
};

/** As it crosses to the writing thread. */
function unpacked(packed: PackedEvents): readonly string[] {
  return unpackLines([structuredClone(packed)]);
}

// The leaf of a log is kept for good: another byte in it is another record.
test("an event names the model that served, if the caller has named it differently", () => {
  const packer = new EventPacker();
  for (const model of ["smart", "gpt-5.1", "openai/gpt-5.1"]) {
    packer.request({ ...completed, facts: { ...facts, model } }, 0);
  }
  const named = unpackLines([packer.take()]).map((line) =>
    line.includes('"served_model":"gpt-5.1"'),
  );
  expect(named).toEqual([true, false, false]);
});

test("a request's canonical form is, byte for byte, what it should be", () => {
  const packer = new EventPacker();
  packer.request(completed, createdAtMs);
  expect(unpacked(packer.take())).toEqual([
    '{"event_type":"request.completed","message":"A request was answered.","org_id":"org_1",' +
      '"request_id":"request-1","created_at":"2026-01-17T09:30:00.000Z","data":{"route":"chat",' +
      '"type":"request","api_key_id":"key_1","provider":"openai","model":"openai/gpt-5.1",' +
      '"http_status":200,"error_code":null,"stream":true,"end":"complete","client_gone":false,' +
      '"verdict":"allow","score":0.02,"policy_id":"default","policy_version":1,' +
      '"policy_action":"redact","dry_run":false,"found_in_request":{"pii":2},' +
      '"found_in_answer":null,"usage":{"uncachedInput":812,"cacheRead":0,"cacheWrite5m":0,' +
      '"cacheWrite1h":0,"audioInput":0,"imageInput":0,"outputText":96,"reasoning":0,' +
      '"audioOutput":0,"imageOutput":0,"toolCalls":0},"cost_usd":"0.000031",' +
      '"cost_status":"calculated","latency_ms":12.346,"latencies_ms":{"body":0.125,' +
      '"queue":0.0321,"scan":0.343,"hold":0.01,"first_byte":3.142,"total":12.346}}}',
  ]);
});

test("what questions need stands before the times, where it is known", () => {
  const packer = new EventPacker();
  const known: RequestFacts = {
    ...facts,
    account: "openai-eu",
    calls: [
      { account: "openai", status: 503, ms: 1.23456 },
      { account: "openai-eu", status: 200, ms: 10 },
    ],
    upstreamStatus: 200,
    cache: "miss",
    team: "search",
    findingCounts: { EMAIL: 2 },
  };
  packer.request({ ...completed, facts: known, tags: { app: "web" } }, createdAtMs);
  expect(unpacked(packer.take())[0]).toContain(
    '"cost_status":"calculated","account":"openai-eu","attempts":[' +
      '{"account":"openai","status":503,"ms":1.235},{"account":"openai-eu","status":200,"ms":10}],' +
      '"upstream_status":200,"cache":"miss","team":"search","tags":{"app":"web"},' +
      '"findings":{"EMAIL":2},"latency_ms":12.346',
  );
});

const text = fc.oneof(
  fc.constantFrom("", "openai/gpt-5.1", 'a"b\\\n', "\u2028", "\ud800", "é"),
  fc.string({ unit: "binary", maxLength: 200 }),
);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const number = fc.double({ noNaN: true });
const count = fc.nat({ max: 1_000_000_000 });
const matches = optional(fc.dictionary(text, count, { maxKeys: 3 }));

const buckets = fc
  .tuple(...usageBucketNames.map(() => count))
  .map((counts) => usageBucketNames.map((name, i) => [name, counts[i] ?? 0] as const))
  .map((entries) => ({ ...noUsage, ...Object.fromEntries(entries) }));

const anyEvent: fc.Arbitrary<RequestEvent> = fc.record({
  eventType: fc.constantFrom(
    "request.completed",
    "request.blocked",
    "request.failed",
    "scan.completed",
    "scan.failed",
  ),
  orgId: text,
  requestId: text,
  httpStatus: fc.nat(599),
  costStatus: fc.constantFrom(...costStatuses),
  inputSha256: optional(text),
  tags: optional(fc.dictionary(text, text, { minKeys: 1, maxKeys: 3 })),
  totalMs: number,
  facts: fc.record({
    route: text,
    isScan: fc.boolean(),
    apiKeyId: optional(text),
    team: optional(text),
    account: optional(text),
    calls: fc.array(
      fc.record({ account: optional(text), status: optional(count), ms: optional(number) }),
      {
        maxLength: 4,
      },
    ),
    upstreamStatus: optional(count),
    cache: optional(text),
    findingCounts: matches,
    provider: optional(text),
    model: optional(text),
    servedModel: optional(text),
    errorCode: optional(text),
    stream: fc.boolean(),
    end: optional(text),
    clientGone: fc.boolean(),
    injection: optional(fc.record({ verdict: text, score: optional(number) })),
    policy: optional(
      fc.record({
        id: text,
        version: count,
        action: optional(text),
        dryRun: fc.boolean(),
        input: matches,
        output: matches,
      }),
    ),
    cost: optional(
      fc.record({
        // Beyond what a double can tell too.
        costMicroUsd: optional(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(microUsd)),
        buckets: optional(buckets),
        assumedPrice: optional(fc.constantFrom("anthropic/claude-sonnet-5", "p/m")),
        serviceTier: optional(fc.constantFrom("flex", "priority")),
      }),
    ),
    inputTokens: optional(count),
    scanId: optional(fc.constantFrom("scan_0a1f", "scan_77")),
    bodyMs: optional(number),
    queueMs: optional(number),
    scanMs: optional(number),
    holdMs: optional(number),
    firstByteMs: optional(number),
  }),
});

const line = fc.string({ unit: "grapheme" });
const moment = fc.nat().map((ms) => createdAtMs + (ms % 3));

test("whatever events are packed, in whatever rounds, their canonical lines come out in order", () => {
  const given = fc.array(fc.array(fc.oneof(fc.tuple(anyEvent, moment), line), { maxLength: 12 }));
  fc.assert(
    fc.property(given, (rounds) => {
      const packer = new EventPacker();
      for (const round of rounds) {
        for (const one of round) {
          if (typeof one === "string") packer.line(one);
          else packer.request(...one);
        }
        expect(packer.count).toBe(round.length);
        expect(unpacked(packer.take())).toEqual(
          round.map((one) => (typeof one === "string" ? one : canonical(...one))),
        );
      }
    }),
  );
});

test("what is changed after it was packed is packed as it was", () => {
  const packer = new EventPacker();
  const changing = { ...facts, model: "a" };
  packer.request({ ...completed, facts: changing }, createdAtMs);
  changing.model = "b";
  expect(unpacked(packer.take())[0]).toContain('"model":"a"');
});

test("more than is kept of memory is packed all the same, and what comes next", () => {
  const packer = new EventPacker();
  const long = { ...completed, facts: { ...facts, model: "m".repeat(packedBytesKeptMax) } };
  for (const events of [[long, completed, long], [completed]]) {
    for (const event of events) packer.request(event, createdAtMs);
    expect(unpacked(packer.take())).toEqual(events.map((event) => canonical(event, createdAtMs)));
  }
});

/** As an object, which `canonicalEvent` writes as it writes all other events. */
function canonical(event: RequestEvent, atMs: number): string {
  const { eventType, orgId, requestId, facts } = event;
  const { policy, cost, scanMs, firstByteMs } = facts;
  const totalMs = toMicroseconds(event.totalMs);
  const uncosted = event.costStatus === "non_billable" ? "0.000000" : null;
  const data = {
    route: facts.route,
    type: facts.isScan ? "scan" : "request",
    api_key_id: facts.apiKeyId,
    provider: facts.provider,
    model: facts.model,
    http_status: event.httpStatus,
    error_code: facts.errorCode,
    stream: facts.stream,
    end: facts.end,
    client_gone: facts.clientGone,
    verdict: facts.injection?.verdict ?? null,
    score: facts.injection?.score ?? null,
    ...(policy === null
      ? {}
      : {
          policy_id: policy.id,
          policy_version: policy.version,
          policy_action: policy.action,
          dry_run: policy.dryRun,
          found_in_request: policy.input,
          found_in_answer: policy.output,
        }),
    ...(facts.inputTokens === null ? {} : { input_tokens: facts.inputTokens }),
    ...(facts.scanId === null ? {} : { scan_id: facts.scanId }),
    usage: cost?.buckets ?? null,
    cost_usd: cost === null || cost.costMicroUsd === null ? uncosted : formatUsd(cost.costMicroUsd),
    cost_status: event.costStatus,
    ...(typeof cost?.assumedPrice === "string" ? { assumed_price: cost.assumedPrice } : {}),
    ...(typeof cost?.serviceTier === "string" ? { service_tier: cost.serviceTier } : {}),
    ...(event.inputSha256 === null ? {} : { input_sha256: event.inputSha256 }),
    ...questionsOf(event),
    latency_ms: totalMs,
    latencies_ms: {
      body: facts.bodyMs,
      queue: facts.queueMs,
      scan:
        scanMs === null
          ? null
          : toMicroseconds(scanMs - (facts.bodyMs ?? 0) - (facts.queueMs ?? 0)),
      hold: facts.holdMs,
      first_byte: firstByteMs === null ? null : toMicroseconds(firstByteMs),
      total: totalMs,
    },
  };
  const message = messages[eventType];
  return canonicalEvent(
    { eventType, message, orgId, requestId, data },
    new Date(atMs).toISOString(),
  );
}

function questionsOf({ facts, tags }: RequestEvent): object {
  const { account, calls, upstreamStatus, cache, team, findingCounts } = facts;
  const { model, provider, servedModel } = facts;
  const isAsked = [servedModel, `${provider ?? ""}/${servedModel ?? ""}`].includes(model);
  const served_model = isAsked ? null : servedModel;
  const attempts = calls.map((call) => ({
    ...call,
    ms: call.ms === null ? null : toMicroseconds(call.ms),
  }));
  const all = {
    served_model,
    account,
    attempts,
    upstream_status: upstreamStatus,
    cache,
    team,
    tags,
  };
  const known = Object.entries({ ...all, findings: findingCounts }).filter(
    ([name, value]) => value !== null && (name !== "attempts" || calls.length > 0),
  );
  return Object.fromEntries(known);
}

const messages = {
  "request.completed": "A request was answered.",
  "request.blocked": "The security policy blocked a request.",
  "request.failed": "A request was refused or failed.",
  "scan.completed": "A scan was answered.",
  "scan.failed": "A scan was refused or failed.",
};
