import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { FlatHeaders, RequestHead } from "../../exchange/exchange.ts";
import { holdsServiceKey } from "../../exchange/service-key-text.ts";

/** The slots for provider credentials, besides `Authorization` and `?key=`. */
const providerKeyHeaders = ["x-api-key", "api-key", "x-goog-api-key"] as const;

/** A request's credentials by their slot. Empty ones are absent. */
export interface CredentialSlots {
  /** `X-Svc-Api-Key`. If the header is empty, this is the empty string, which is a wrong service key. */
  readonly service: string | undefined;
  /** The bearer token. */
  readonly bearer: string | undefined;
  readonly xApiKey: string | undefined;
  /** The other provider slots, including `?key=` and an Authorization header with another scheme. */
  readonly others: readonly string[];
  readonly upstreamUrl: string | undefined;
}

const singleHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "x-svc-api-key",
  "x-svc-upstream-url",
  ...providerKeyHeaders,
]);

/**
 * Reads the credentials of a request. A header that decides who pays, or where the request goes, may stand
 * only once: of two, the gateway might check one and the provider use the other. Several keys joined in one
 * value are one credential, which is invalid. Errors: `invalid_request`.
 */
export function readSlots(head: RequestHead): Outcome<CredentialSlots> {
  const found = new Map<string, string>();
  for (let i = 0; i < head.headers.length; i += 2) {
    const name = head.headers[i] ?? "";
    if (!singleHeaders.has(name)) continue;
    if (found.has(name)) return standsTwice(name);
    found.set(name, (head.headers[i + 1] ?? "").trim());
  }
  const credential = (name: string): string | undefined => {
    const value = found.get(name);
    return value === "" ? undefined : value;
  };
  const authorization = credential("authorization");
  const bearer = authorization === undefined ? undefined : bearerOf(authorization);
  const others = [
    credential("api-key"),
    credential("x-goog-api-key"),
    bearer === undefined ? authorization : undefined,
    ...keysOfQuery(head.query),
  ];
  return accept({
    service: found.get("x-svc-api-key"),
    bearer: bearer === "" ? undefined : bearer,
    xApiKey: credential("x-api-key"),
    others: others.filter((value) => value !== undefined),
    upstreamUrl: found.get("x-svc-upstream-url"),
  });
}

/**
 * Every service key in a slot, even in requests that `readSlots` refuses: the keys of a repeated header are
 * included. A value in `X-Svc-Api-Key` counts as a service key, whatever it looks like.
 */
export function serviceKeysIn(head: RequestHead): ReadonlySet<string> {
  const keys = new Set(keysOfQuery(head.query).filter(holdsServiceKey));
  for (let i = 0; i < head.headers.length; i += 2) {
    const name = head.headers[i] ?? "";
    if (!singleHeaders.has(name) || name === "x-svc-upstream-url") continue;
    const value = (head.headers[i + 1] ?? "").trim();
    const credential = name === "authorization" ? (bearerOf(value) ?? value) : value;
    if (name === "x-svc-api-key" || holdsServiceKey(credential)) keys.add(credential);
  }
  return keys;
}

/**
 * The bearer token of a request that has no other slot; undefined if it has none. Two headers are refused, as
 * in `readSlots`. Errors: `invalid_request`.
 */
export function readBearer(headers: FlatHeaders): Outcome<string | undefined> {
  const found = headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === "authorization");
  if (found.length > 1) return standsTwice("authorization");
  return accept(/^bearer +(\S+)$/i.exec(found[0] ?? "")?.[1]);
}

/** The token, which may be empty; undefined if the scheme is another one. */
function bearerOf(authorization: string): string | undefined {
  if (!/^bearer(?:[ \t]|$)/i.test(authorization)) return undefined;
  return authorization.slice("bearer".length).trim();
}

function standsTwice(name: string): Outcome<never> {
  return refuse("invalid_request", `The header ${name} stands more than once.`);
}

function keysOfQuery(query: string): string[] {
  if (query === "") return [];
  return new URLSearchParams(query)
    .getAll("key")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

/**
 * True if a service key stands anywhere, inside or outside the slots: in another header, the path or the
 * query. Outside the slots the key grants nothing. But it is present, so the request is not a request without
 * a key.
 */
export function holdsServiceKeyAnywhere(head: RequestHead): boolean {
  if (holdsServiceKey(head.path) || holdsServiceKey(head.query)) return true;
  return head.headers.some((text) => holdsServiceKey(text));
}
