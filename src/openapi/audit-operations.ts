import { Type, type TSchema } from "typebox";
import {
  AuditConsistency,
  AuditEventAnswer,
  AuditEventList,
  AuditProof,
  type AuditEventRow,
} from "../contract/audit-api.ts";
import { auditEventTypes } from "../contract/audit.ts";
import { oneOf } from "../contract/documented-schema.ts";
import type { ErrorCode } from "../contract/errors.ts";
import { auditPageDefault, auditPageMax, contentReasonCharsMax } from "../contract/limits.ts";
import {
  bundleExample,
  checkpointExample,
  csvExample,
  eventExample,
  proofExample,
  verifierKeyExample,
} from "./audit-examples.ts";
import { errorResponses } from "./error-responses.ts";
import { headerReferences, rateLimitHeaders } from "./headers.ts";
import type { Operation, Parameter, Response } from "./operation.ts";

interface AuditOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  /** Absent: 204. */
  readonly answer?: {
    readonly type: string;
    readonly schema: TSchema;
    readonly value: unknown;
  };
  readonly errors?: readonly ErrorCode[];
}

const json = "application/json";

function auditOperation(one: AuditOperation): Operation {
  const { operationId, summary, description, parameters = [], answer } = one;
  return {
    operationId,
    summary,
    description: `${description} For operators; a key with the role admin sees its own organization's.`,
    tags: ["Audit log"],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      ...(answer === undefined
        ? { "204": { description: "It is done.", headers: headerReferences(rateLimitHeaders) } }
        : { "200": success(summary, answer) }),
      ...errorResponses([
        "invalid_request",
        "invalid_key",
        "forbidden",
        "unknown_route",
        "rate_limit_exceeded",
        "internal_error",
        "auth_unavailable",
        ...(one.errors ?? []),
      ]),
    },
  };
}

function success(
  summary: string,
  { type, schema, value }: NonNullable<AuditOperation["answer"]>,
): Response {
  return {
    description: `${summary}.`,
    headers: headerReferences(rateLimitHeaders),
    content: { [type]: { schema, examples: { answer: { summary, value } } } },
  };
}

function inQuery(name: string, description: string, schema: TSchema, required = false): Parameter {
  return { name, in: "query", description, required, schema };
}

const wholeNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const index: Parameter = {
  name: "index",
  in: "path",
  description: "The event's place in the log.",
  required: true,
  schema: wholeNumber,
};

const moment = Type.String({ examples: ["2026-01-31", "2026-01-31T09:30:00Z"] });

const filter: readonly Parameter[] = [
  inQuery(
    "orgId",
    "Of this organization. Default: the admin's own; for an operator all.",
    Type.String(),
  ),
  inQuery("event_type", "Of this kind.", oneOf(auditEventTypes, { description: "A kind." })),
  inQuery(
    "type",
    "Model requests or scans.",
    oneOf(["request", "scan"], { description: "Which." }),
  ),
  inQuery(
    "key",
    "Requests and scans of the key with this id, and events about their money.",
    Type.String(),
  ),
  inQuery("model", "Requests for this model, as they named it.", Type.String()),
  inQuery(
    "verdict",
    "Requests and scans with this injection verdict.",
    oneOf(["allow", "flag", "block"], { description: "The verdict." }),
  ),
  inQuery("request_id", "What belongs to this request.", Type.String()),
  inQuery("since", "Recorded then or later; a date is its first moment in UTC.", moment),
  inQuery("until", "Recorded before.", moment),
  inQuery(
    "day",
    "Recorded on this day in UTC; instead of `since` and `until`.",
    Type.String({ examples: ["2026-01-31"] }),
  ),
];

const page: readonly Parameter[] = [
  inQuery(
    "limit",
    "The most events to list.",
    Type.Integer({ minimum: 1, maximum: auditPageMax, default: auditPageDefault }),
  ),
  inQuery("cursor", "The `nextCursor` of the page before.", Type.String()),
];

export const auditOperations = {
  "/v1/audit/events": {
    get: auditOperation({
      operationId: "listAuditEvents",
      summary: "List audit events",
      description:
        "Newest first. All filters have to hold; one that is not known refuses the request. While the records are read anew from the log, only a list without a filter is answered.",
      parameters: [...filter, ...page],
      answer: {
        type: json,
        schema: AuditEventList,
        value: { data: [eventExample satisfies AuditEventRow], nextCursor: "1204" },
      },
      errors: ["not_found", "records_unavailable"],
    }),
  },
  "/v1/audit/events/{index}": {
    get: auditOperation({
      operationId: "getAuditEvent",
      summary: "Get an audit event",
      description:
        "With what is readable of its request, while that is kept: masked by the detectors, or as it came with a `reason`. Then the answer waits until the audit event `content.read` is durable: who, which request, why.",
      parameters: [
        index,
        inQuery(
          "reason",
          "Why the content is read without masks. It stays in the audit log for good.",
          Type.String({ minLength: 1, maxLength: contentReasonCharsMax }),
        ),
      ],
      answer: {
        type: json,
        schema: AuditEventAnswer,
        value: { data: { ...eventExample, content: null } },
      },
      errors: ["not_found"],
    }),
  },
  "/v1/audit/events/{index}/proof": {
    get: auditOperation({
      operationId: "proveAuditEvent",
      summary: "Prove an audit event",
      description:
        "That the event is in the log, against a checkpoint that covers it. It verifies for as long as the log is kept.",
      parameters: [index],
      answer: { type: json, schema: AuditProof, value: proofExample },
      errors: ["not_found"],
    }),
  },
  "/v1/audit/events/{index}/content": {
    delete: auditOperation({
      operationId: "eraseAuditEventContent",
      summary: "Erase what is readable of an event's request",
      description: "For good. The event stays, and its proof verifies as before.",
      parameters: [index],
      errors: ["not_found"],
    }),
  },
  "/v1/audit/content": {
    delete: auditOperation({
      operationId: "eraseOrganizationContent",
      summary: "Erase what is readable of an organization's requests",
      description: "For good, all until now. The events stay, and their proofs verify as before.",
      parameters: [
        inQuery("orgId", "The organization. An operator has to name one.", Type.String()),
      ],
      errors: ["not_found"],
    }),
  },
  "/v1/audit/checkpoint": {
    get: auditOperation({
      operationId: "getAuditCheckpoint",
      summary: "Get the newest checkpoint",
      description:
        "A signed note (C2SP tlog-checkpoint) over all that is recorded: the log's name, its size, its root.",
      answer: { type: "text/plain", schema: Type.String(), value: checkpointExample },
      errors: ["not_found"],
    }),
  },
  "/v1/audit/consistency": {
    get: auditOperation({
      operationId: "proveAuditConsistency",
      summary: "Prove that the log was only appended to",
      description: "That the tree of one checkpoint begins the tree of a later one.",
      parameters: [
        inQuery("first", "The size of the earlier checkpoint.", wholeNumber, true),
        inQuery("second", "The size of the later one.", wholeNumber, true),
      ],
      answer: {
        type: json,
        schema: AuditConsistency,
        value: { hashes: proofExample.hashes } satisfies AuditConsistency,
      },
    }),
  },
  "/v1/audit/key": {
    get: auditOperation({
      operationId: "getAuditKey",
      summary: "Get the log's verifier key",
      description:
        "What checkpoints are verified with (C2SP signed-note). It never changes: keep it.",
      answer: { type: "text/plain", schema: Type.String(), value: verifierKeyExample },
    }),
  },
  "/v1/audit/export.csv": {
    get: auditOperation({
      operationId: "exportAuditCsv",
      summary: "Export requests and scans",
      description:
        "One line each, oldest first. Cells that a spreadsheet would run as a formula begin with an apostrophe.",
      parameters: filter,
      answer: { type: "text/csv", schema: Type.String(), value: csvExample },
      errors: ["not_found", "records_unavailable"],
    }),
  },
  "/v1/audit/export.jsonl": {
    get: auditOperation({
      operationId: "exportAuditBundle",
      summary: "Export a bundle for the offline verifier",
      description:
        "The first line has a checkpoint. Without a filter an operator gets the whole log, one event a line; else every event comes with its proof. `npm run verify -- FILE` verifies it.",
      parameters: filter,
      answer: { type: "application/jsonl", schema: Type.String(), value: bundleExample },
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;
