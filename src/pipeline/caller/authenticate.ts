import { serviceNamespaces } from "../../contract/wire.ts";
import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import type { ApiKey } from "../../contract/identity.ts";
import {
  holdsServiceKeyAnywhere,
  readSlots,
  serviceKeysIn,
  type CredentialSlots,
} from "./credential-slots.ts";
import type { RequestHead } from "../../exchange/exchange.ts";
import { holdsServiceKey } from "../../exchange/service-key-text.ts";

/** What a request's headers say about who pays (design section 7, "Who pays"). */
export type Credentials =
  | { readonly mode: "pay_through"; readonly serviceKey: string }
  | { readonly mode: "own_keys"; readonly serviceKey: string; readonly upstreamUrl: string }
  /** A provider's credential and an upstream, without any service key. */
  | { readonly mode: "keyless"; readonly upstreamUrl: string };

/** A key of an organization. Platform keys may not call models or scans. */
export interface OrganizationKey extends ApiKey {
  readonly orgId: string;
}

/** Finds a key by its secret; refuses `invalid_key` or `auth_unavailable`. */
export type FindKey = (secret: string) => Outcome<ApiKey>;

/** Who sends a request, and who pays for it. */
export interface Caller {
  readonly key: OrganizationKey;
  readonly credentials: Exclude<Credentials, { mode: "keyless" }>;
}

/** The unknown caller of a keyless passthrough request. */
export interface KeylessCaller {
  readonly key: null;
  readonly credentials: Extract<Credentials, { mode: "keyless" }>;
}

/**
 * The caller of an endpoint that needs a service key. Errors: those of `readCredentials` and `FindKey`, and
 * `org_membership_not_found` for a platform key.
 */
export function authenticate(head: RequestHead, findKey: FindKey): Outcome<Caller> {
  const caller = identify(head, findKey, false);
  if (!caller.ok) return caller;
  return caller.value.key === null ? missingKey : accept(caller.value);
}

/**
 * The caller of a model request. Works like `authenticate`, but returns a keyless caller if keyless
 * passthrough is on (spec: Rate limits 4) and the request is such a request.
 */
export function identify(
  head: RequestHead,
  findKey: FindKey,
  keylessPassthrough: boolean,
): Outcome<Caller | KeylessCaller> {
  const read = readCredentials(head);
  if (!read.ok) return keyFirst(head, findKey, read);
  const credentials = read.value;
  if (credentials.mode === "keyless") {
    return keylessPassthrough ? accept({ key: null, credentials }) : missingKey;
  }
  const key = findOrganizationKey(credentials.serviceKey, findKey);
  return key.ok ? accept({ key: key.value, credentials }) : key;
}

/**
 * The refusal for a request whose credentials don't fit together. If its service key is invalid, the refusal
 * says so first. Only a request with a valid key learns what is wrong with its other credentials or its
 * upstream (spec: Authentication 3). `unknown_route` is returned without a look at the key. Errors:
 * `refused`, `invalid_key`, also for two keys, and `auth_unavailable`.
 */
export function keyFirst(head: RequestHead, findKey: FindKey, refused: Refused): Refused {
  if (refused.refusal.code === "unknown_route") return refused;
  const [serviceKey, ...others] = serviceKeysIn(head);
  if (serviceKey === undefined) return refused;
  if (others.length > 0) return twoKeys;
  const found = findKey(serviceKey);
  return found.ok ? refused : found;
}

/** Errors: those of `FindKey`, `org_membership_not_found` for a platform key, `forbidden` for a viewer's. */
export function findOrganizationKey(secret: string, findKey: FindKey): Outcome<OrganizationKey> {
  const found = findKey(secret);
  if (!found.ok) return found;
  const { orgId, role } = found.value;
  if (role === "viewer") return onlyReads;
  if (orgId === null) {
    return refuse(
      "org_membership_not_found",
      "This key belongs to no organization; use a key of an organization.",
    );
  }
  return accept({ ...found.value, orgId });
}

/**
 * Reads who pays from the headers, row by row as in the table of design section 7. If a service key is
 * present, it decides. It is never ignored in favour of another credential. Errors: `invalid_key`,
 * `invalid_request`, `missing_upstream_header`, `unknown_route`.
 */
export function readCredentials(head: RequestHead): Outcome<Credentials> {
  const read = readSlots(head);
  if (!read.ok) return read;
  const slots = read.value;
  const serviceKeys = serviceKeysOf(slots);
  const [serviceKey] = serviceKeys;
  if (serviceKeys.size > 1) return twoKeys;
  if (serviceKey === undefined) return withoutServiceKey(head, slots);
  const { upstreamUrl } = slots;
  const hasProviderKey = providerKeysOf(slots).length > 0;
  if (upstreamUrl !== undefined) {
    if (!hasProviderKey && slots.service === undefined) {
      return refuse(
        "invalid_request",
        "With X-Svc-Upstream-Url the service key goes into X-Svc-Api-Key; the credential slots are for your provider's key.",
      );
    }
    return accept({ mode: "own_keys", serviceKey, upstreamUrl });
  }
  // A service key in the bearer slot pays, whatever else is there. Beside it, a provider's bearer token, or a
  // provider key next to X-Svc-Api-Key, means that the client forgot the upstream. In the namespaces only the
  // bearer token means that (spec: Authentication 4), because no provider's key pays for a scan.
  const bearerIsServiceKey = slots.bearer === serviceKey;
  const bearerIsProviders = slots.bearer !== undefined && !bearerIsServiceKey;
  if (bearerIsProviders) return missingUpstream(head.path);
  const isBesideProviders = !bearerIsServiceKey && slots.service !== undefined && hasProviderKey;
  if (isBesideProviders && !inServiceNamespace(head.path)) return missingUpstream(head.path);
  return accept({ mode: "pay_through", serviceKey });
}

function withoutServiceKey(head: RequestHead, slots: CredentialSlots): Outcome<Credentials> {
  const { upstreamUrl } = slots;
  if (upstreamUrl === undefined) {
    return slots.bearer === undefined ? missingKey : missingUpstream(head.path);
  }
  if (providerKeysOf(slots).length === 0 || holdsServiceKeyAnywhere(head)) return missingKey;
  return accept({ mode: "keyless", upstreamUrl });
}

function serviceKeysOf(slots: CredentialSlots): ReadonlySet<string> {
  const keys = slotValues(slots).filter(holdsServiceKey);
  // A value in X-Svc-Api-Key counts as a service key, whatever it looks like.
  return new Set(slots.service === undefined ? keys : [slots.service, ...keys]);
}

function providerKeysOf(slots: CredentialSlots): readonly string[] {
  return slotValues(slots).filter((value) => !holdsServiceKey(value));
}

function slotValues({ bearer, xApiKey, others }: CredentialSlots): string[] {
  return [bearer, xApiKey, ...others].filter((value) => value !== undefined);
}

/** True inside the service's own namespaces (spec: Namespaces). */
export function inServiceNamespace(path: string): boolean {
  return serviceNamespaces.some((space) => path === space || path.startsWith(`${space}/`));
}

const onlyReads = refuse("forbidden", "A key with the role viewer only sees records and settings.");

const missingKey = refuse(
  "invalid_key",
  "A service key is missing: send it as Authorization: Bearer or as X-Svc-Api-Key.",
);

const twoKeys = refuse("invalid_key", "Two different service keys were sent.");

function missingUpstream(path: string): Outcome<never> {
  if (inServiceNamespace(path)) return refuse("unknown_route", "There is no such endpoint.");
  return refuse(
    "missing_upstream_header",
    "A provider key needs X-Svc-Upstream-Url, the provider's base address, beside X-Svc-Api-Key.",
  );
}
