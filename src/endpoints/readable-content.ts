import { isUtf8 } from "node:buffer";
import type { AuditContent, StoredBody } from "../contract/audit-api.ts";
import { readEvent } from "../contract/audit.ts";
import { refuseParameter } from "../contract/errors.ts";
import type { ApiKey } from "../contract/identity.ts";
import { contentReasonCharsMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { LoggedEvent } from "../store/embedded/audit/audit-log.ts";
import type { Content, KeptBody } from "../store/content/content.ts";
import type { Contents } from "../store/content/contents.ts";
import type { ContentReads } from "../store/embedded/content/content-reads.ts";
import type { RedactionPool } from "../workers/redact/redaction-pool.ts";

/** What is needed to show the readable content of requests. */
export interface ContentServices {
  readonly contents: Pick<Contents, "read">;
  readonly mask: RedactionPool["mask"];
  readonly contentReads: Pick<ContentReads, "note">;
}

/** The request whose content is asked for. */
export interface ContentOwner {
  readonly orgId: string;
  readonly requestId: string;
  /** The place of its event in the log. */
  readonly index: number;
}

/** The request whose content an event has; null: events of money and of changes have none. */
export function ownerOf({ line, index }: LoggedEvent): ContentOwner | null {
  const { event_type, org_id, request_id } = readEvent(line);
  const isOfRequest = /^(request|scan)\./.test(event_type);
  if (!isOfRequest || org_id === null || request_id === null) return null;
  return { orgId: org_id, requestId: request_id, index };
}

/** Who wants it without masks. */
export interface ContentReader {
  readonly key: ApiKey;
  /** The id of the reader's own request. */
  readonly callId: string;
  readonly reason: string;
}

/**
 * The content of a request with labels in place of what the detectors find; null: there is none any more. Errors:
 * `detector_unavailable`: without a verdict nothing is shown; `internal_error`.
 */
export async function maskedContent(
  { contents, mask }: ContentServices,
  { orgId, requestId }: ContentOwner,
): Promise<Outcome<AuditContent | null>> {
  const read = await contents.read(orgId, requestId);
  if (!read.ok) return read;
  const content = read.value;
  if (content === null) return accept(null);
  const [request, response] = await Promise.all([
    maskedBody(content.request, mask),
    maskedBody(content.response, mask),
  ]);
  if (!request.ok) return request;
  if (!response.ok) return response;
  // With its salt, a short submission could be guessed from its hash.
  const masked = { masked: true, input_salt: null };
  return accept({ ...masked, request: request.value, response: response.value });
}

/** The content without anything that could be read, if no mask can be made: only its lengths. Errors: `internal_error`. */
export async function withheldContent(
  { contents }: ContentServices,
  { orgId, requestId }: ContentOwner,
): Promise<Outcome<AuditContent | null>> {
  const read = await contents.read(orgId, requestId);
  if (!read.ok) return read;
  if (read.value === null) return accept(null);
  const body = (kept: KeptBody | null) => kept && withheldBody(shownBody(kept), "no_verdict");
  const { request, response } = read.value;
  const withheld = { request: body(request), response: body(response) };
  return accept({ masked: true, ...withheld, input_salt: null });
}

/**
 * The content of a request as it came, once the log says durably who reads it and why; null: there is none any
 * more, and nothing is recorded. Errors: `internal_error`.
 */
export async function plainContent(
  { contents, contentReads }: ContentServices,
  owner: ContentOwner,
  { key, callId, reason }: ContentReader,
): Promise<Outcome<AuditContent | null>> {
  const { orgId, requestId } = owner;
  const before = await contents.read(orgId, requestId);
  if (!before.ok) return before;
  if (before.value === null) return accept(null);
  const by = { byKeyId: key.id, byRole: key.role, callId };
  const noted = await contentReads.note({ ...owner, reason, ...by });
  if (!noted.ok) return noted;
  // It may have been erased meanwhile.
  const after = await contents.read(orgId, requestId);
  if (!after.ok) return after;
  return accept(after.value === null ? null : shownContent(after.value));
}

/** The reason for reading content. Errors: `invalid_request`. */
export function readReason(value: unknown): Outcome<string> {
  const reason = typeof value === "string" ? value.trim() : "";
  if (reason !== "" && reason.length <= contentReasonCharsMax) return accept(reason);
  return refuseParameter(
    "reason",
    `reason must say why the content is read, in 1 to ${contentReasonCharsMax} characters.`,
  );
}

async function maskedBody(
  kept: KeptBody | null,
  mask: ContentServices["mask"],
): Promise<Outcome<StoredBody | null>> {
  if (kept === null) return accept(null);
  const body = shownBody(kept);
  if (body.encoding === "base64") return accept(withheldBody(body, "no_text"));
  const masked = await mask({ text: body.text, isCut: body.truncated });
  if (!masked.ok) return masked;
  const { text, found } = masked.value;
  return accept({ ...body, text, found });
}

function withheldBody(body: StoredBody, withheld: "no_text" | "no_verdict"): StoredBody {
  return { ...body, text: "", withheld };
}

function shownContent({ request, response, salt }: Content): AuditContent {
  const body = (kept: KeptBody | null) => kept && shownBody(kept);
  return { masked: false, request: body(request), response: body(response), input_salt: salt };
}

function shownBody({ bytes: kept, length }: KeptBody): StoredBody {
  const truncated = kept.length < length;
  const bytes = truncated ? wholeCharacters(kept) : Buffer.from(kept);
  const encoding = isUtf8(bytes) ? "utf8" : "base64";
  return { text: bytes.toString(encoding), encoding, bytes: length, truncated };
}

/** A cut may split a character; its remaining bytes are dropped. */
function wholeCharacters(bytes: Uint8Array): Buffer {
  for (let end = bytes.length; end > bytes.length - 4; end -= 1) {
    const cut = Buffer.from(bytes.subarray(0, end));
    if (isUtf8(cut)) return cut;
  }
  return Buffer.from(bytes);
}
