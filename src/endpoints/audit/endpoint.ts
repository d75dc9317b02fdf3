import { refuse, refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { AuditLog } from "../../store/embedded/audit/audit-log.ts";
import type { Erasures } from "../../store/content/erasures.ts";
import type { Author } from "../../store/embedded/store-draft.ts";
import {
  findOrganizationKey,
  keyFirst,
  readCredentials,
  type FindKey,
} from "../../pipeline/caller/authenticate.ts";
import type { Answer, Exchange, RequestHead } from "../../exchange/exchange.ts";
import type { Manager } from "../keys-api/manager.ts";
import type { ReadModel } from "../../store/read-model/read-model.ts";
import { organizationFor, type FindOrganization } from "../keys-api/scope.ts";
import type { ContentServices } from "../readable-content.ts";
import { LimitedKeys } from "../answer-limited.ts";
import type { RateLimits } from "../../pipeline/limits/rate-limits.ts";
import { RequestRecord } from "../../pipeline/record/record.ts";
import { serve, type FrameServices } from "../../pipeline/serve.ts";

export interface AuditServices extends FrameServices, ContentServices {
  /** Answers lists and exports with a filter. */
  readonly readModel: Pick<ReadModel, "ask">;
  readonly auditLog: AuditLog;
  /** Forgets the organization's answers in the response caches. Errors: `internal_error`. */
  readonly forgetCached: (orgId: string, author: Author) => Promise<Outcome<unknown>>;
  readonly erasures: Pick<Erasures, "erase">;
  readonly rateLimits: RateLimits;
  readonly findOrganization: FindOrganization;
}

/** One call of `/v1/audit`, after its caller and the names of its parameters were checked. */
export interface AuditCall {
  readonly auditor: Manager;
  /** The organization whose events are wanted: the auditor's own or `?orgId=`; null means all. */
  readonly orgId: string | null;
  /** The path's `:index` as sent; empty if the path has none. */
  readonly index: string;
  readonly query: URLSearchParams;
}

/** Returns the answer, or null if the endpoint has already written one itself. */
export type AuditEndpoint = (
  call: AuditCall,
  exchange: Exchange,
) => Outcome<Answer | null> | Promise<Outcome<Answer | null>>;

/**
 * Makes an endpoint's request handler: authenticate → limit → permit → run → answer → record. A parameter
 * that is not in `parameters` refuses the request, because a misspelt filter would show more than was asked
 * for.
 */
export function auditing(
  services: AuditServices,
  parameters: readonly string[],
  endpoint: AuditEndpoint,
) {
  return async (exchange: Exchange, path: Readonly<Record<string, string>>): Promise<void> => {
    const record = new RequestRecord("service");
    await serve(record, exchange, services, (findKey) =>
      answer(exchange, path["index"] ?? "", { ...services, findKey }, parameters, endpoint),
    );
  };
}

async function answer(
  exchange: Exchange,
  index: string,
  services: AuditServices,
  parameters: readonly string[],
  endpoint: AuditEndpoint,
): Promise<Outcome<Answer | null>> {
  const { findKey, rateLimits, findOrganization } = services;
  const keys = new LimitedKeys(exchange, findKey, rateLimits);
  const auditor = authenticateAuditor(exchange.head, keys.find);
  if (!auditor.ok) return auditor;
  const limited = await keys.limited;
  if (!limited.ok) return limited;
  const query = new URLSearchParams(exchange.head.query);
  const known = checkParameters(query, parameters);
  if (!known.ok) return known;
  const asked = query.get("orgId");
  if (asked !== null) {
    const found = organizationFor(auditor.value, asked, findOrganization);
    if (!found.ok) return found;
  }
  const orgId = asked ?? auditor.value.orgId;
  await services.auditLog.caughtUp();
  return endpoint({ auditor: auditor.value, orgId, index, query }, exchange);
}

/**
 * Accepts an operator's key, or a key with the role admin, which sees only its organization. Errors: those of
 * authentication, `rate_limit_exceeded`, `forbidden` for a member's key.
 */
function authenticateAuditor(head: RequestHead, findKey: FindKey): Outcome<Manager> {
  // In these endpoints `?key=` is a filter, not a credential.
  const unfiltered = { ...head, query: "" };
  const credentials = readCredentials(unfiltered);
  if (!credentials.ok) return keyFirst(unfiltered, findKey, credentials);
  if (credentials.value.mode === "keyless")
    return refuse("invalid_key", "A service key is missing.");
  const found = findKey(credentials.value.serviceKey);
  if (!found.ok) return found;
  if (found.value.role === "operator") return accept({ key: found.value, orgId: null });
  if (found.value.role !== "admin") {
    return refuse(
      "forbidden",
      "The audit log is for operator keys and for keys with the role admin.",
    );
  }
  const key = findOrganizationKey(credentials.value.serviceKey, () => found);
  return key.ok ? accept({ key: key.value, orgId: key.value.orgId }) : key;
}

/** Errors: `invalid_request` for a parameter that is unknown or stands twice. */
function checkParameters(query: URLSearchParams, known: readonly string[]): Outcome<null> {
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      const list = known.length === 0 ? "none" : known.join(", ");
      return refuse(
        "invalid_request",
        `This endpoint does not have that parameter. It has: ${list}.`,
      );
    }
    if (query.getAll(name).length > 1)
      return refuseParameter(name, `${name} may be sent only once.`);
  }
  return accept(null);
}
