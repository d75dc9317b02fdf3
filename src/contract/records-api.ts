import { Type, type Static } from "typebox";
import { AuditContent, AuditEventRow } from "./audit-api.ts";
import { members, oneOf, wholeNumber } from "./documented-schema.ts";
import { dataOf, moment, nullable } from "./keys-api/fields.ts";
import { contentReasonCharsMax } from "./limits.ts";
import { costStatuses, usageBucketNames } from "./usage.ts";

/** The answers of questions on records and usage, on the keys API's listener. */

const whole = (description: string) => wholeNumber(0, Number.MAX_SAFE_INTEGER, { description });
const text = (description: string) => nullable(Type.String(), description, "a text");
const count = (description: string) => nullable(whole(description), description, "a number");
const milliseconds = (description: string) =>
  nullable(Type.Number(), `${description}, milliseconds.`, "a number");

export const recordTypes = ["request", "scan"] as const;
export const recordStatuses = ["completed", "blocked", "failed"] as const;
export const recordVerdicts = ["allow", "flag", "block"] as const;
export const recordPolicyActions = ["block", "replace", "redact", "flag"] as const;
export const recordCaches = ["hit", "miss"] as const;
export { costStatuses as recordCostStatuses };

const Attempt = members(
  {
    account: text("The account; null: the caller named the upstream."),
    status: count("HTTP status of its answer; null: none came."),
    ms: milliseconds("From its beginning to its end"),
  },
  { description: "A call to a provider." },
);

const Tokens = members(
  {
    input: count("Input that was neither read from a cache nor written to one."),
    cache_read: count("Input that was read from a cache."),
    cache_write: count("Input that was written to a cache."),
    output: count("Output without reasoning."),
    reasoning: count("Output that the model kept to itself."),
  },
  { description: "Each token is counted once." },
);

export const RecordedRequest = members(
  {
    index: whole("The place of its event in the audit log."),
    request_id: text("`X-Svc-Request-Id`; of a batch's item its job and number."),
    created_at: moment("When it was recorded: at its end."),
    type: oneOf(recordTypes, { description: "A model request or a scan." }),
    route: text("Where it came in."),
    org_id: text("Its organization."),
    api_key_id: text("Its key."),
    team: text("The team of its key, then."),
    tags: nullable(Type.Record(Type.String(), Type.String()), "`X-Svc-Tags`.", "tags"),
    model: text("The model, as the request named it."),
    served_model: text(
      "The configured model that gave the answer, as its account names it: of a pool the one that served. null: none was called, or the caller brought the provider.",
    ),
    provider: text("The provider."),
    account: text("The account that gave the answer."),
    attempts: Type.Array(Attempt, { description: "The calls to providers, in their order." }),
    status: oneOf(recordStatuses, { description: "What became of it." }),
    http_status: count("What the client got; 0: nothing."),
    error_code: text("The code of its refusal or failure."),
    upstream_status: count("HTTP status of the provider's answer."),
    verdict: text("The injection verdict."),
    score: nullable(Type.Number(), "The injection score.", "a number"),
    policy_action: text("What the security policy did; null: nothing, or it is a dry run."),
    dry_run_action: text("What a security policy that is a dry run would have done."),
    findings: nullable(
      Type.Record(Type.String(), whole("How often.")),
      "Entities and patterns that were found, by label: in a scan's submission, or in a request and its answer; null: none.",
      "labels with counts",
    ),
    stream: nullable(Type.Boolean(), "Whether the answer was a stream.", "true, false"),
    cache: text("`hit` or `miss`; null: the response cache was not asked."),
    tokens: nullable(Tokens, "Tokens; null: not reported.", "tokens"),
    billable_tokens: count("Of a scan: tokens that its detectors have read."),
    cost_usd: nullable(
      Type.String({ pattern: "^-?\\d+\\.\\d{6}$" }),
      "US dollars, six places.",
      "an amount",
    ),
    cost_status: text("How the cost is known (`X-Svc-Cost-Calculation-Status`)."),
    latency_ms: milliseconds("From arrival to the end of the answer"),
    first_byte_ms: milliseconds("From arrival to the answer's first byte"),
  },
  { description: "A request or a scan. What was not known is null. It has no readable content." },
);
export type RecordedRequest = Static<typeof RecordedRequest>;

export const RecordList = members(
  {
    data: Type.Array(RecordedRequest, { description: "Newest first." }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: "What `cursor` takes for the next page; null: this is the last one.",
    }),
  },
  { description: "A page of records." },
);

const UnownedResponse = members(
  {
    request_id: Type.String({ description: "`X-Svc-Request-Id`." }),
    created_at: moment("When it was answered."),
    route: text("Where it came in; null: it was refused before."),
    http_status: whole("What the client got; 0: nothing."),
    error_code: text("The code of its refusal."),
    address: text("The address of the client's socket."),
  },
  {
    description:
      "For operators: a response that belongs to no organization, of the last 16,384 since the start.",
  },
);

export const RecordLookup = dataOf(
  members(
    {
      record: nullable(RecordedRequest, "The record; null: the request has none.", "a record"),
      response: Type.Optional(UnownedResponse),
      events: Type.Array(AuditEventRow, {
        description:
          "All that the audit log has of the request: hold, debit, recovery and its end.",
      }),
    },
    { description: "What is known of a request." },
  ),
  "What is known of a request.",
);

export const RecordContent = members(
  {
    request_id: Type.String({ description: "The request." }),
    index: whole("The place of its event in the audit log."),
    org_id: Type.String({ description: "Its organization." }),
    content: nullable(AuditContent, "null: none was kept, or its time is over.", "content"),
  },
  { description: "What is readable of a request." },
);
export type RecordContent = Static<typeof RecordContent>;
export const RecordContentAnswer = dataOf(RecordContent, "What is readable of a request.");

export const UnmaskContent = members(
  {
    request_id: Type.String({ description: "`X-Svc-Request-Id` of the request to read." }),
    reason: Type.String({
      description: "Why it is read. It stays in the audit log for good.",
      minLength: 1,
      maxLength: contentReasonCharsMax,
    }),
  },
  { description: "What to read without masks, and why." },
);

const receiptUnits = [...usageBucketNames, "request", "injectionScan", "entityScan"] as const;
const dollars = (description: string) => Type.String({ pattern: "^\\d+(\\.\\d+)?$", description });

const ReceiptLine = members(
  {
    unit: oneOf(receiptUnits, { description: "What is counted." }),
    units: whole("How many: tokens, requests, or tool calls."),
    usd_per_million: dollars("The rate: US dollars for a million of them."),
    amount_usd: dollars("The exact product."),
  },
  { description: "What a part of the usage costs." },
);

const RecordReceipt = members(
  {
    request_id: text("Of the request."),
    service_tier: text("The service tier whose rates apply; null: the standard one."),
    lines: Type.Array(ReceiptLine, {
      description:
        "At the prices of now for the request's time; empty if it has no usage or price.",
    }),
    total_usd: nullable(dollars("."), "The sum of the lines, rounded once.", "an amount"),
    cost_usd: text("What was recorded and debited."),
    cost_status: text("How the cost is known."),
    matches: nullable(
      Type.Boolean(),
      "Whether both are the same. They are not if the prices have changed since, or if the provider has named the cost.",
      "true, false",
    ),
  },
  { description: "How a request's usage leads to its cost." },
);
export type RecordReceipt = Static<typeof RecordReceipt>;
export const RecordReceiptAnswer = dataOf(RecordReceipt, "The receipt of a request.");

const Facet = Type.Array(
  members(
    { value: Type.String({ description: "The value." }), count: whole("Records with it.") },
    { description: "A value of a filter." },
  ),
  { description: "The most frequent values, at most 20." },
);

export const RecordFacets = dataOf(
  Type.Record(Type.String(), Facet, { description: "By the name of the filter." }),
  "Values of filters.",
);

/** Why a live tail ends: its key or session did, the gateway stops, or the records can't be asked. */
export const tailEnds = ["signed_out", "shutdown", "unavailable"] as const;
export type TailEnd = (typeof tailEnds)[number];

export const exportStatuses = ["queued", "running", "completed", "failed", "cancelled"] as const;

export const Export = members(
  {
    id: Type.String({ description: "Names the export.", pattern: "^[0-9a-f]{32}$" }),
    status: oneOf(exportStatuses, { description: "How it stands." }),
    rowsDone: whole("Records that are in the file."),
    rowsTotal: nullable(
      whole("Records."),
      "Records that will be; null: not counted yet.",
      "a number",
    ),
    createdAt: moment("When it was asked for."),
    expiresAt: moment("When it is removed."),
  },
  { description: "An export of records." },
);
export type Export = Static<typeof Export>;

export const ExportAnswer = dataOf(Export, "An export.");
export const ExportList = members(
  {
    data: Type.Array(Export, { description: "Newest first." }),
    nextCursor: Type.Null({ description: "There is one page." }),
  },
  { description: "Exports that are kept." },
);

export const DownloadTicket = members(
  {
    ticket: Type.String({
      description: "What `ticket` of the file's address takes, once.",
      pattern: "^[0-9a-f]{64}$",
    }),
    expiresAt: moment("When it stops to work."),
  },
  { description: "Leads to a file without a key." },
);
export type DownloadTicket = Static<typeof DownloadTicket>;
export const DownloadTicketAnswer = dataOf(DownloadTicket, "A ticket for a download.");

export const CreateExport = members(
  {
    format: oneOf(["csv"], { description: "The form of the file." }),
    filter: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "By the names of the filters of `/records`.",
        errorMessage: "an object",
      }),
    ),
  },
  { description: "What to export." },
);

const share = (which: string) =>
  milliseconds(`The ${which} percentile, by nearest rank, exact to 1.1 %`);
const isRest = Type.Optional(
  Type.Boolean({ description: "True: all groups that are not among the largest together." }),
);

export const UsageSeries = members(
  {
    data: Type.Array(
      members(
        {
          start: moment("When the step begins."),
          group: text("The group; null: none was asked for, or it is not known."),
          rest: isRest,
          value: Type.Optional(
            Type.Union([Type.Number(), Type.String()], {
              description: "A number; of `cost_usd` a decimal string.",
            }),
          ),
          p50: Type.Optional(share("50th")),
          p95: Type.Optional(share("95th")),
          p99: Type.Optional(share("99th")),
        },
        { description: "A group in a step. Steps without a record are left out." },
      ),
      { description: "Oldest first." },
    ),
  },
  { description: "A metric over time." },
);

export const UsageBreakdown = members(
  {
    data: Type.Array(
      members(
        {
          key: text("The group; null: not known, or the rest."),
          rest: isRest,
          requests: whole("Requests."),
          errors: whole("Requests that were refused or failed."),
          blocked: whole("Requests that the security policy blocked."),
          tokens: whole("Tokens."),
          cost_usd: Type.String({ description: "US dollars, six places." }),
          latency_ms: members(
            { p50: share("50th"), p95: share("95th"), p99: share("99th") },
            { description: "From arrival to the end of the answer." },
          ),
        },
        { description: "A group." },
      ),
      { description: "The largest first, then the rest." },
    ),
  },
  { description: "Usage by group." },
);
