import { serviceKeyPrefix, serviceNamespaces } from "../contract/wire.ts";
import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { ApiKey } from "../contract/identity.ts";
import { header, type RequestHead } from "./exchange.ts";

/** What a request's headers say about who pays (design section 7, "Who pays"). */
export type Credentials =
  | { readonly mode: "pay_through"; readonly serviceKey: string }
  | { readonly mode: "own_keys"; readonly serviceKey: string; readonly upstreamUrl: string };

/** A key of an organization; platform keys call no model and no scan. */
export interface OrganizationKey extends ApiKey {
  readonly orgId: string;
}

/** Finds a key by its secret; refuses `invalid_key` or `auth_unavailable`. */
export type FindKey = (secret: string) => Outcome<ApiKey>;

/** The slots in which providers take their credential, but for `Authorization` and `?key=`. */
const providerKeyHeaders = ["x-api-key", "api-key", "x-goog-api-key"] as const;

/** Any credential that begins like a service key is one, in whatever slot and however written. */
export function holdsServiceKey(value: string): boolean {
  return value.toLowerCase().includes(serviceKeyPrefix);
}

/** Who sends a request, and who pays for it. */
export interface Caller {
  readonly key: OrganizationKey;
  readonly credentials: Credentials;
}

/**
 * The caller of a model or scan endpoint. Errors: those of `readCredentials` and `FindKey`, and
 * `org_membership_not_found` for a platform key.
 */
export function authenticate(head: RequestHead, findKey: FindKey): Outcome<Caller> {
  const credentials = readCredentials(head);
  if (!credentials.ok) return credentials;
  const found = findKey(credentials.value.serviceKey);
  if (!found.ok) return found;
  const { orgId } = found.value;
  if (orgId === null) {
    return refuse(
      "org_membership_not_found",
      "This key belongs to no organization; use a key of one.",
    );
  }
  return accept({ key: { ...found.value, orgId }, credentials: credentials.value });
}

/**
 * Reads who pays from the headers, row by row as design section 7 has it. A service key that is
 * present decides; it is never ignored in favour of another credential.
 */
export function readCredentials(head: RequestHead): Outcome<Credentials> {
  const upstreamUrl = header(head.headers, "x-svc-upstream-url");
  const slots = readSlots(head);
  const [serviceKey, otherKey] = new Set(
    [slots.service, slots.bearer, ...slots.others].filter(
      (key): key is string => key !== undefined && (key === slots.service || holdsServiceKey(key)),
    ),
  );
  if (otherKey !== undefined) return refuse("invalid_key", "Two different service keys were sent.");
  const providerKeys = slots.others.filter((key) => !holdsServiceKey(key));
  const bearerIsProviders = slots.bearer !== undefined && !holdsServiceKey(slots.bearer);
  if (serviceKey === undefined) {
    return bearerIsProviders && upstreamUrl === undefined ? missingUpstream(head.path) : missingKey;
  }
  if (upstreamUrl !== undefined) {
    const hasProviderKey = bearerIsProviders || providerKeys.length > 0;
    if (!hasProviderKey && slots.service === undefined) {
      return refuse(
        "invalid_request",
        "With X-Svc-Upstream-Url the service key goes into X-Svc-Api-Key; the credential slots are for your provider's key.",
      );
    }
    return accept({ mode: "own_keys", serviceKey, upstreamUrl });
  }
  // In the bearer slot the service key pays, whatever else is there; beside it, a provider's bearer
  // token or a provider key next to X-Svc-Api-Key means that the upstream was forgotten.
  const paysInBearer = slots.bearer !== undefined && !bearerIsProviders;
  if (bearerIsProviders) return missingUpstream(head.path);
  if (!paysInBearer && slots.service !== undefined && providerKeys.length > 0) {
    return missingUpstream(head.path);
  }
  return accept({ mode: "pay_through", serviceKey });
}

/** True inside the service's own namespaces (spec: Namespaces). */
export function inServiceNamespace(path: string): boolean {
  return serviceNamespaces.some((space) => path === space || path.startsWith(`${space}/`));
}

const missingKey = refuse(
  "invalid_key",
  "A service key is missing: send it as Authorization: Bearer or as X-Svc-Api-Key.",
);

function missingUpstream(path: string): Outcome<never> {
  if (inServiceNamespace(path)) return refuse("unknown_route", "There is no such endpoint.");
  return refuse(
    "missing_upstream_header",
    "A provider key needs X-Svc-Upstream-Url, the provider's base address, beside X-Svc-Api-Key.",
  );
}

interface CredentialSlots {
  /** `X-Svc-Api-Key`. */
  readonly service: string | undefined;
  /** The bearer token. */
  readonly bearer: string | undefined;
  /** The other provider slots, `?key=` among them, and Authorization of another scheme. */
  readonly others: readonly string[];
}

function readSlots(head: RequestHead): CredentialSlots {
  const authorization = header(head.headers, "authorization");
  const bearer = /^bearer +(.*)$/i.exec(authorization ?? "")?.[1]?.trim();
  const others: string[] = [];
  for (const name of providerKeyHeaders) {
    const value = header(head.headers, name);
    if (value !== undefined && value !== "") others.push(value.trim());
  }
  if (head.query !== "") {
    others.push(...new URLSearchParams(head.query).getAll("key").filter((key) => key !== ""));
  }
  if (authorization !== undefined && authorization !== "" && bearer === undefined) {
    others.push(authorization);
  }
  return {
    service: header(head.headers, "x-svc-api-key")?.trim(),
    bearer: bearer === "" ? undefined : bearer,
    others,
  };
}
