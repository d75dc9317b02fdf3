import { Type, type Static } from "typebox";
import { auditEventTypes } from "./audit.ts";
import { members, oneOf, wholeNumber } from "./documented-schema.ts";
import { dataOf, moment, nullable } from "./keys-api/fields.ts";

/** The answers of `/v1/audit` (design section 7, `/v1/audit`). */

const place = wholeNumber(0, Number.MAX_SAFE_INTEGER, {
  description: "The event's place in the log; the first one is 0.",
});
const base64 = (description: string) =>
  Type.String({ description, pattern: "^[A-Za-z0-9+/]*={0,2}$" });

export const AuditEventRow = members(
  {
    index: place,
    event_type: oneOf(auditEventTypes, { description: "What happened." }),
    message: Type.String({ description: "Prose; do not branch on it." }),
    org_id: nullable(
      Type.String(),
      "The organization that it concerns; null: none, as with an operator key or a provider account.",
      "an id",
    ),
    request_id: nullable(
      Type.String(),
      "`X-Svc-Request-Id` of the request, or of the batch item, that it belongs to; null: there is none.",
      "an id",
    ),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: "What is known of it, by its kind.",
    }),
    created_at: moment("When it was recorded."),
  },
  { description: "An event of the audit log. Nothing readable of a request is in it." },
);
export type AuditEventRow = Static<typeof AuditEventRow>;

export const StoredBody = members(
  {
    text: Type.String({
      description: "As it came, cut behind the bound that is kept of one body.",
    }),
    encoding: oneOf(["utf8", "base64"], { description: "`base64` where it is no UTF-8." }),
    bytes: wholeNumber(0, Number.MAX_SAFE_INTEGER, { description: "Length of the whole body." }),
    truncated: Type.Boolean({ description: "Whether `text` is only its beginning." }),
    found: Type.Optional(
      Type.Record(
        Type.String(),
        wholeNumber(1, Number.MAX_SAFE_INTEGER, { description: "How often." }),
        {
          description: "Of a masked body: how often each label stands in place of a value.",
        },
      ),
    ),
    withheld: Type.Optional(
      oneOf(["no_text", "no_verdict"], {
        description:
          "Why a masked body has no text: it is no UTF-8, or the detectors gave no verdict; then ask again.",
      }),
    ),
  },
  { description: "A body as it is kept." },
);
export type StoredBody = Static<typeof StoredBody>;

export const AuditContent = members(
  {
    masked: Type.Boolean({
      description:
        "True: labels such as `<EMAIL>` stand in place of what the detectors have found, `<MEDIUM>` in place of media, and the last 4,096 characters of a cut body are left out.",
    }),
    request: nullable(StoredBody, "The request's body, a scan's submission.", "a body"),
    response: nullable(
      StoredBody,
      "The answer's body as the client got it; of a scan its findings, without `redacted_text`.",
      "a body",
    ),
    input_salt: nullable(
      Type.String({ pattern: "^[0-9a-f]{32}$" }),
      "Of a scan with `store_input: false`, unmasked: `data.input_sha256` is the SHA-256 of these bytes and the submission.",
      "a salt",
    ),
  },
  { description: "What is readable of a request, while it is kept." },
);
export type AuditContent = Static<typeof AuditContent>;

export const AuditEventDetail = members(
  {
    ...AuditEventRow.properties,
    content: nullable(
      AuditContent,
      "null: the event has none, or it is gone: its time is over, or it was erased.",
      "content",
    ),
  },
  { description: "An event with what is readable of its request." },
);

export const AuditEventList = members(
  {
    data: Type.Array(AuditEventRow, { description: "Newest first." }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description:
        "What `cursor` takes for the next page; null: this is the last one. A page may be short, even empty, and have a next one.",
    }),
  },
  { description: "A page of events." },
);
export const AuditEventAnswer = dataOf(AuditEventDetail, "The event.");

export const AuditProof = members(
  {
    index: place,
    treeSize: wholeNumber(1, Number.MAX_SAFE_INTEGER, {
      description: "Events that the checkpoint covers.",
    }),
    leafData: base64("The event as it was recorded: one line of JSON. Base64."),
    leafHash: base64("SHA-256 of a zero byte and `leafData` (RFC 6962). Base64."),
    hashes: Type.Array(base64("A hash."), {
      description: "The inclusion proof (RFC 6962, section 2.1.1). Base64.",
    }),
    checkpoint: Type.String({ description: "The signed note of `treeSize` events, as text." }),
  },
  { description: "That an event is in the log. `npm run verify` checks it offline." },
);
export type AuditProof = Static<typeof AuditProof>;

export const AuditConsistency = members(
  {
    hashes: Type.Array(base64("A hash."), {
      description: "The consistency proof (RFC 6962, section 2.1.2). Base64.",
    }),
  },
  { description: "That the first `first` events begin the first `second`." },
);
export type AuditConsistency = Static<typeof AuditConsistency>;

/** The format name in the first line of an exported bundle. */
export const bundleForm = "weir-audit-bundle/1";

/**
 * The first line of a bundle. `log`: every event of the checkpoint's tree follows, one on each line,
 * as it was recorded. `records`: events with their proofs follow, one `BundleRecord` on each line,
 * and then a `BundleEnd`.
 */
export const BundleHeader = members(
  {
    form: Type.Literal(bundleForm),
    kind: oneOf(["log", "records"], { description: "What follows." }),
    orgId: Type.Union([Type.String(), Type.Null()], { description: "Whose events follow only." }),
    treeSize: wholeNumber(0, Number.MAX_SAFE_INTEGER, { description: "The checkpoint's size." }),
    verifierKey: Type.String({ description: "What the checkpoint is signed with (C2SP)." }),
    checkpoint: Type.String({ description: "A signed note (C2SP)." }),
  },
  { description: "What a bundle is, and the checkpoint that it is held against." },
);
export type BundleHeader = Static<typeof BundleHeader>;

export const BundleRecord = members(
  {
    index: place,
    leaf: Type.String({ description: "The event as it was recorded: one line of JSON." }),
    hashes: Type.Array(base64("A hash."), { description: "The inclusion proof. Base64." }),
  },
  { description: "An event with its proof." },
);
export type BundleRecord = Static<typeof BundleRecord>;

export const BundleEnd = members(
  { records: wholeNumber(0, Number.MAX_SAFE_INTEGER, { description: "Records before it." }) },
  { description: "The last line of a bundle of records." },
);
export type BundleEnd = Static<typeof BundleEnd>;
