import type { ProviderAccount } from "../contract/account.ts";
import type { Wire } from "../contract/wire.ts";
import { header, type FlatHeaders } from "./exchange.ts";
import { holdsServiceKey, percentDecoded } from "./service-key-text.ts";

/** Connection-level headers, and headers that the next hop gets a new value of. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The caller's headers that a pay-through request passes to a provider. All others are dropped. */
const payThroughNames: ReadonlySet<string> = new Set([
  "accept",
  "idempotency-key",
  "traceparent",
  "tracestate",
  "user-agent",
]);
const payThroughPrefixes = ["anthropic-", "openai-", "x-stainless-"];
/** The account's credential decides whose call it is. SDKs send these headers from their own environment. */
const accountNames: ReadonlySet<string> = new Set(["openai-organization", "openai-project"]);

/**
 * All headers with which the service describes a limit, lower case (spec: Rate limits 3). If a provider uses
 * one of these names, it describes another limit, perhaps in another unit, and clients would take it for the
 * gateway's limit.
 */
export const rateLimitNames: ReadonlySet<string> = new Set([
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-ratelimit-scope",
  "x-ratelimit-org-limit",
  "x-ratelimit-org-remaining",
]);

/** The messages wire requires a version. SDKs send it; a bare curl may not. */
const anthropicVersionDefault = "2023-06-01";

function goesWithPayThrough(name: string): boolean {
  if (payThroughNames.has(name)) return true;
  return payThroughPrefixes.some((prefix) => name.startsWith(prefix)) && !accountNames.has(name);
}

/** Headers of a pay-through request to `account`, with the account's credential. */
export function payThroughHeaders(
  headers: FlatHeaders,
  account: ProviderAccount,
  wire: Wire,
): string[] {
  const out: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    if (!goesWithPayThrough(name)) continue;
    if (!holdsServiceKey(value) && !holdsServiceKey(name)) out.push(name, value);
  }
  if (wire === "messages" && header(headers, "anthropic-version") === undefined) {
    out.push("anthropic-version", anthropicVersionDefault);
  }
  if (typeof account.credential === "string") {
    const name = account.credentialHeader ?? (wire === "messages" ? "x-api-key" : "authorization");
    const { credential } = account;
    out.push(name, name === "authorization" ? `Bearer ${credential}` : credential);
  }
  // The type as which the body was scanned, whatever the caller said. With another charset, a provider might
  // read other text.
  out.push("content-type", "application/json");
  // The gateway must be able to read the answer's usage and errors.
  out.push("accept-encoding", "identity");
  return out;
}

/**
 * Headers of an own-keys request: all except those of this hop, those of the service, and every header that
 * contains a service key, in whatever place.
 */
export function byokHeaders(headers: FlatHeaders): string[] {
  const listed = connectionListed(headers);
  const out: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    if (hopByHop.has(name) || listed.has(name) || isPrivate(name)) continue;
    // The body was decoded before the scan and is sent as it was scanned.
    if (name === "content-encoding") continue;
    if (holdsServiceKey(value) || holdsServiceKey(name)) continue;
    out.push(name, value);
  }
  return out;
}

/** The slots for a provider's key that a control-plane read does not use. */
const otherKeySlots: ReadonlySet<string> = new Set(["authorization", "api-key", "x-goog-api-key"]);

/** Headers of a control-plane read: as with own keys, but the only credential is `x-api-key`. */
export function controlPlaneHeaders(headers: FlatHeaders): string[] {
  const all = byokHeaders(headers);
  const out: string[] = [];
  for (let i = 0; i < all.length; i += 2) {
    const name = all[i] ?? "";
    // The body is not forwarded, so its content type is dropped.
    if (otherKeySlots.has(name) || name === "content-type") continue;
    out.push(name, all[i + 1] ?? "");
  }
  return out;
}

/** A provider's answer headers as the client gets them. */
export function answerHeaders(upstream: FlatHeaders, ours: FlatHeaders): string[] {
  const listed = connectionListed(upstream);
  const out: string[] = [...ours];
  for (let i = 0; i < upstream.length; i += 2) {
    const name = upstream[i] ?? "";
    if (hopByHop.has(name) || listed.has(name) || isPrivate(name)) continue;
    if (rateLimitNames.has(name)) continue;
    // uWS writes its own Date. A provider's alternative service would lead clients around the gateway.
    if (name === "date" || name === "alt-svc") continue;
    out.push(name, upstream[i + 1] ?? "");
  }
  return out;
}

/**
 * Like `answerHeaders`, for an answer that passes through to a request with `method`. An answer to a HEAD
 * keeps its Content-Length, which is the length of a GET's answer.
 */
export function passedHeaders(
  method: string,
  upstream: FlatHeaders,
  ours: FlatHeaders,
): FlatHeaders {
  const headers = answerHeaders(upstream, ours);
  const length = method === "HEAD" ? header(upstream, "content-length") : undefined;
  return length === undefined ? headers : [...headers, "content-length", length];
}

/** The query for the upstream, without any service key. */
export function forwardedQuery(query: string): string {
  if (query === "") return "";
  return joined(query.split("&").filter((pair) => !holdsServiceKey(pair)));
}

/**
 * The query of a pay-through request. `key` is a credential slot, so a caller's provider key is dropped
 * (design section 7, "Who pays"). `own` is the account's own query; what it names a caller can't set.
 */
export function payThroughQuery(query: string, own = ""): string {
  if (query === "") return own === "" ? "" : `?${own}`;
  const taken = own === "" ? credentialName : new Set([...credentialName, ...namesIn(own)]);
  const kept = query.split("&").filter((pair) => {
    const [name = ""] = pair.split("=", 1);
    return !taken.has(percentDecoded(name).toLowerCase()) && !holdsServiceKey(pair);
  });
  return joined(own === "" ? kept : [...kept, own]);
}

const credentialName: ReadonlySet<string> = new Set(["key"]);

function namesIn(query: string): string[] {
  return [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase());
}

function joined(pairs: readonly string[]): string {
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Cookies belong to the gateway's address, `X-Svc-*` to the service. */
function isPrivate(name: string): boolean {
  return name === "cookie" || name === "set-cookie" || name.startsWith("x-svc-");
}

function connectionListed(headers: FlatHeaders): ReadonlySet<string> {
  let listed: Set<string> | null = null;
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] ?? "";
    // Nearly every message says one of these two, and they name no other header.
    if (headers[i] !== "connection" || value === "keep-alive" || value === "close") continue;
    listed ??= new Set();
    for (const name of value.split(",")) listed.add(name.trim().toLowerCase());
  }
  return listed ?? noNames;
}

const noNames: ReadonlySet<string> = new Set();
