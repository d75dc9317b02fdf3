import { Type } from "typebox";
import { oneOf } from "../contract/documented-schema.ts";
import {
  recordsPageDefault,
  recordsPageMax,
  usageBreakdownGroupsDefault,
  usageBreakdownGroupsMax,
  usageSeriesGroupsDefault,
  usageSeriesGroupsMax,
} from "../contract/limits.ts";
import {
  CreateExport,
  DownloadTicketAnswer,
  ExportAnswer,
  ExportList,
  recordCaches,
  recordCostStatuses,
  recordPolicyActions,
  RecordContentAnswer,
  RecordFacets,
  RecordList,
  RecordLookup,
  RecordReceiptAnswer,
  recordStatuses,
  recordTypes,
  recordVerdicts,
  UnmaskContent,
  UsageBreakdown,
  UsageSeries,
  type RecordContent,
  type RecordedRequest,
} from "../contract/records-api.ts";
import type { AuditContent } from "../contract/audit-api.ts";
import { csvExample } from "./audit-examples.ts";
import { keysApiOperation, type KeysApiOperation } from "./keys-api-operation.ts";
import { inQuery, type Operation, type Parameter } from "./operation.ts";

const text = Type.String();
const moment = Type.String({ examples: ["2026-01-31", "2026-01-31T09:30:00Z"] });

const filter: readonly Parameter[] = [
  inQuery("since", "Recorded then or later; a date is its first moment in UTC.", moment),
  inQuery("until", "Recorded before.", moment),
  inQuery("type", "Model requests or scans.", oneOf(recordTypes, { description: "Which." })),
  inQuery("route", "Came in there: `chat`, `messages`, `rest`, …", text),
  inQuery("orgId", "Of this organization. Default: the caller's own; for an operator all.", text),
  inQuery("key", "Of the key with this id.", text),
  inQuery("team", "Of keys of this team.", text),
  inQuery("model", "For this model, as the request named it.", text),
  inQuery("served_model", "Answered by this model, as its account names it.", text),
  inQuery("provider", "Of this provider.", text),
  inQuery("account", "Answered by this account.", text),
  inQuery("status", "With this end.", oneOf(recordStatuses, { description: "The end." })),
  inQuery("http_status", "Answered with this status.", Type.Integer({ minimum: 0, maximum: 999 })),
  inQuery("error_code", "Refused or failed with this code.", text),
  inQuery("verdict", "With this verdict.", oneOf(recordVerdicts, { description: "The verdict." })),
  inQuery(
    "policy_action",
    "In which the security policy did that.",
    oneOf(recordPolicyActions, { description: "The action." }),
  ),
  inQuery(
    "dry_run_action",
    "In which a security policy that is a dry run would have done that.",
    oneOf(recordPolicyActions, { description: "The action." }),
  ),
  inQuery(
    "finding",
    "In which a scan or the policy found this label.",
    Type.String({ examples: ["EMAIL"] }),
  ),
  inQuery(
    "cost_status",
    "With this cost status.",
    oneOf(recordCostStatuses, { description: "The status." }),
  ),
  inQuery("cache", "Answered from the cache, or not.", oneOf(recordCaches, { description: "." })),
  inQuery("tag", "With this tag.", Type.String({ examples: ["feature:rag"] })),
  inQuery("min_latency_ms", "That took as long or longer.", Type.Number({ minimum: 0 })),
  inQuery("min_cost_usd", "That cost as much or more.", Type.String({ examples: ["0.25"] })),
];

const groupings = [
  ...["model", "served_model", "provider", "account", "key", "team", "tag"],
  ...["error_code", "route", "org", "status", "verdict"],
  ...["score", "policy_action", "dry_run_action", "finding"],
] as const;

const groups = (most: number, usual: number): Parameter =>
  inQuery(
    "groups",
    "The largest groups to tell apart; the others are one, with `rest`.",
    Type.Integer({ minimum: 1, maximum: most, default: usual }),
  );
const groupBy = (required: boolean): Parameter =>
  inQuery(
    "group_by",
    "What to tell apart. A request with several tags or findings counts in each. `score` is told apart by tenths: `0.9` has all from 0.9 on.",
    Type.Enum([...groupings]),
    required,
  );

const who =
  "An operator sees all, an admin and a viewer their organization's, a member its own key's. What was recorded before the call is in the answer.";

function question(one: Omit<KeysApiOperation, "tag">): Operation {
  const { description, errors = [] } = one;
  return keysApiOperation({
    ...one,
    tag: "Records",
    description: `${description} ${who}`,
    errors: [...errors, "not_found", "records_unavailable"],
  });
}

const record: RecordedRequest = {
  index: 1041,
  request_id: "5mUyOhPrRjuCXXcYRSkHKg-12",
  created_at: "2026-01-17T09:30:00.000Z",
  type: "request",
  route: "chat",
  org_id: "org_3e9a",
  api_key_id: "key_7c1f",
  team: "search",
  tags: { feature: "rag" },
  model: "openai/gpt-5.1",
  served_model: "gpt-5.1",
  provider: "openai",
  account: "openai",
  attempts: [{ account: "openai", status: 200, ms: 801.2 }],
  status: "completed",
  http_status: 200,
  error_code: null,
  upstream_status: 200,
  verdict: "allow",
  score: 0.02,
  policy_action: null,
  dry_run_action: null,
  findings: null,
  stream: false,
  cache: null,
  tokens: { input: 12, cache_read: 0, cache_write: 0, output: 4, reasoning: 0 },
  billable_tokens: null,
  cost_usd: "0.000031",
  cost_status: "calculated",
  latency_ms: 812.4,
  first_byte_ms: 810.1,
};

const debit = {
  index: 1040,
  event_type: "payg.debit.applied",
  message: "The exact cost was debited.",
  org_id: record.org_id,
  request_id: record.request_id,
  data: {
    costUsd: "0.000031",
    balanceAfterUsd: "9.999969",
    api_key_id: record.api_key_id,
    team: record.team,
  },
  created_at: record.created_at,
};

const shares = { p50: 640.1, p95: 2104.7, p99: 4030.2 };

const exported = {
  id: "0123456789abcdef0123456789abcdef",
  status: "completed",
  rowsDone: 812,
  rowsTotal: 812,
  createdAt: "2026-02-01T08:00:00.000Z",
  expiresAt: "2026-02-02T08:00:00.000Z",
} as const;

const exportExample = csvExample.replace(/(\r\n)/g, (end, _, at) =>
  at < csvExample.indexOf("\n")
    ? `,team,account,upstream_status,cache,stream,reasoning_tokens,first_byte_ms${end}`
    : `,search,openai,200,,false,0,810.1${end}`,
);

function exporting(one: Omit<KeysApiOperation, "tag">): Operation {
  const { description, errors = [] } = one;
  return keysApiOperation({
    ...one,
    tag: "Records",
    description: `${description} For operators; an admin and a viewer export their organization's.`,
    errors: [...errors, "not_found"],
  });
}

function reading(one: Omit<KeysApiOperation, "tag">): Operation {
  const { description, errors = [] } = one;
  return keysApiOperation({
    ...one,
    tag: "Records",
    description: `${description} For operators; an admin reads its organization's. What was recorded before the call is found.`,
    errors: [...errors, "not_found", "records_unavailable"],
  });
}

const plainContent: AuditContent = {
  masked: false,
  request: {
    text: '{"model":"openai/gpt-5.1","messages":[{"role":"user","content":"Mail ada@example.org"}]}',
    encoding: "utf8",
    bytes: 89,
    truncated: false,
  },
  response: null,
  input_salt: null,
};

const readableContent: RecordContent = {
  request_id: "5mUyOhPrRjuCXXcYRSkHKg-12",
  index: 1041,
  org_id: "org_3e9a",
  content: {
    ...plainContent,
    masked: true,
    request: {
      text: '{"model":"openai/gpt-5.1","messages":[{"role":"user","content":"Mail <EMAIL>"}]}',
      encoding: "utf8",
      bytes: 89,
      truncated: false,
      found: { EMAIL: 1 },
    },
  },
};

export const recordsOperations = {
  "/api/v1/gateway/records": {
    get: question({
      operationId: "listRecords",
      summary: "List records",
      description: "Requests and scans that pass all filters, newest first, without their content.",
      parameters: [
        ...filter,
        inQuery(
          "limit",
          "The most rows of a page.",
          Type.Integer({ minimum: 1, maximum: recordsPageMax, default: recordsPageDefault }),
        ),
        inQuery("cursor", "The `nextCursor` of a page of the same query.", text),
      ],
      answer: { schema: RecordList, value: { data: [record], nextCursor: null } },
    }),
  },
  "/api/v1/gateway/records/lookup": {
    get: question({
      operationId: "lookUpRecord",
      summary: "Look up a request",
      description: "The record of one request and all that the audit log has of it.",
      parameters: [inQuery("request_id", "`X-Svc-Request-Id` of its answer.", text, true)],
      answer: { schema: RecordLookup, value: { data: { record, events: [debit] } } },
    }),
  },
  "/api/v1/gateway/records/receipt": {
    get: question({
      operationId: "getReceipt",
      summary: "Get a request's receipt",
      description: "How the prices of its time lead from its usage to its cost.",
      parameters: [inQuery("request_id", "`X-Svc-Request-Id` of its answer.", text, true)],
      answer: {
        schema: RecordReceiptAnswer,
        value: {
          data: {
            request_id: record.request_id,
            service_tier: null,
            lines: [
              { unit: "uncachedInput", units: 12, usd_per_million: "1.25", amount_usd: "0.000015" },
              { unit: "outputText", units: 4, usd_per_million: "4", amount_usd: "0.000016" },
            ],
            total_usd: "0.000031",
            cost_usd: "0.000031",
            cost_status: "calculated",
            matches: true,
          },
        },
      },
    }),
  },
  "/api/v1/gateway/records/facets": {
    get: question({
      operationId: "countFacets",
      summary: "Count the values of filters",
      description: "How many records that pass the filters have which values.",
      parameters: filter,
      answer: {
        schema: RecordFacets,
        value: { data: { model: [{ value: "openai/gpt-5.1", count: 812 }] } },
      },
    }),
  },
  "/api/v1/gateway/records/stream": {
    get: question({
      operationId: "streamRecords",
      summary: "Watch new records",
      description:
        "Server-Sent Events of records that pass all filters, from the call on, about once a second. `open` has the `index` of the log from which on records are told; `record` a record, with its `index` as id; `skipped` the number of `rows` that were not told, because there were more than 200 in a second or the client was slow; `end` the `reason`: `signed_out`, `shutdown`, `unavailable`. A comment every five seconds keeps the connection open. It does not keep a session open.",
      parameters: filter,
      answer: {
        schema: text,
        value: `event: open\ndata: {"index":1041}\n\nid: 1041\nevent: record\ndata: ${JSON.stringify(record)}\n\nevent: skipped\ndata: {"rows":12}\n\n`,
        type: "text/event-stream",
      },
    }),
  },
  "/api/v1/gateway/records/content": {
    get: reading({
      operationId: "getRecordContent",
      summary: "Read the content of a request, masked",
      description:
        "The bodies of a request while they are kept, with labels in place of personal data, health data and credentials.",
      parameters: [inQuery("request_id", "`X-Svc-Request-Id` of its answer.", text, true)],
      answer: { schema: RecordContentAnswer, value: { data: readableContent } },
      errors: ["detector_unavailable"],
    }),
  },
  "/api/v1/gateway/records/content/unmask": {
    post: reading({
      operationId: "unmaskRecordContent",
      summary: "Read the content of a request as it came",
      description:
        "The answer waits until the audit event `content.read` is durable in the organization's log: who, which request, why. If the content is gone, nothing is recorded.",
      body: {
        schema: UnmaskContent,
        value: { request_id: record.request_id, reason: "Ticket 4711: the customer asked why." },
      },
      answer: {
        schema: RecordContentAnswer,
        value: { data: { ...readableContent, content: plainContent } },
      },
    }),
  },
  "/api/v1/gateway/exports": {
    post: exporting({
      operationId: "createExport",
      summary: "Export records",
      description: "Makes a CSV of records in the background, oldest first.",
      body: {
        schema: CreateExport,
        value: { format: "csv", filter: { since: "2026-01-01", until: "2026-02-01" } },
      },
      answer: {
        schema: ExportAnswer,
        value: { data: { ...exported, status: "queued", rowsDone: 0, rowsTotal: null } },
        status: "202",
      },
      errors: ["records_unavailable"],
    }),
    get: exporting({
      operationId: "listExports",
      summary: "List exports",
      description: "Those that are kept, for 24 hours.",
      answer: { schema: ExportList, value: { data: [exported], nextCursor: null } },
    }),
  },
  "/api/v1/gateway/exports/{id}": {
    get: exporting({
      operationId: "getExport",
      summary: "Get an export",
      description: "How far it is.",
      hasId: true,
      answer: { schema: ExportAnswer, value: { data: exported } },
    }),
    delete: exporting({
      operationId: "deleteExport",
      summary: "Cancel or delete an export",
      description: "One that has not ended is cancelled; another is removed with its file.",
      hasId: true,
    }),
  },
  "/api/v1/gateway/exports/{id}/tickets": {
    post: exporting({
      operationId: "createDownloadTicket",
      summary: "Get a ticket for a download",
      description:
        "For a link in a page, which can send no key: the file's address with this `ticket` works once within 60 seconds, as long as the key or session that asked for it does.",
      hasId: true,
      answer: {
        schema: DownloadTicketAnswer,
        value: { data: { ticket: "0123456789abcdef".repeat(4), expiresAt: exported.createdAt } },
        status: "201",
      },
    }),
  },
  "/api/v1/gateway/exports/{id}/file": {
    get: exporting({
      operationId: "downloadExport",
      summary: "Download an export",
      description:
        "Once it is completed. Cells that a spreadsheet would run as a formula begin with an apostrophe.",
      hasId: true,
      parameters: [inQuery("ticket", "Stands in for the key.", text)],
      answer: { type: "text/csv", schema: Type.String(), value: exportExample },
    }),
  },
  "/api/v1/gateway/usage/series": {
    get: question({
      operationId: "usageSeries",
      summary: "Usage over time",
      description:
        "A metric by step and group; model requests of the last 24 hours unless `type`, `since` and `until` say otherwise. Days are those of the time zone, with 23 or 25 hours where its clocks change.",
      parameters: [
        ...filter,
        inQuery(
          "metric",
          "What to count.",
          Type.Enum([
            ...["requests", "tokens", "cost_usd", "error_share", "blocked", "cache_hits"],
            ...["latency_ms", "first_byte_ms"],
          ]),
        ),
        groupBy(false),
        groups(usageSeriesGroupsMax, usageSeriesGroupsDefault),
        inQuery("step", "The length of a step; default `1h`.", Type.Enum(["15m", "1h", "1d"])),
        inQuery("tz", "A time zone; default UTC.", Type.String({ examples: ["Asia/Kathmandu"] })),
      ],
      answer: {
        schema: UsageSeries,
        value: { data: [{ start: "2026-01-17T09:00:00.000Z", group: null, value: 812 }] },
      },
    }),
  },
  "/api/v1/gateway/usage/breakdown": {
    get: question({
      operationId: "usageBreakdown",
      summary: "Usage by group",
      description:
        "Requests, tokens, cost and latency by group; model requests of the last 24 hours unless `type`, `since` and `until` say otherwise.",
      parameters: [
        ...filter,
        groupBy(true),
        groups(usageBreakdownGroupsMax, usageBreakdownGroupsDefault),
      ],
      answer: {
        schema: UsageBreakdown,
        value: {
          data: [
            {
              key: "openai/gpt-5.1",
              requests: 812,
              errors: 3,
              blocked: 1,
              tokens: 190_400,
              cost_usd: "1.204031",
              latency_ms: shares,
            },
          ],
        },
      },
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;
