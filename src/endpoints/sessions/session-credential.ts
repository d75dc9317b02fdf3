import type { ApiKey } from "../../contract/identity.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { serviceKeyPrefix } from "../../contract/wire.ts";
import { header, type FlatHeaders, type RequestHead } from "../../exchange/exchange.ts";
import type { FindKey } from "../../pipeline/caller/authenticate.ts";
import type { Sessions, SessionSecrets } from "../../store/embedded/sessions/sessions.ts";

/** The request header with a session's token. */
export const sessionHeader = "x-svc-session";

/** How browsers reach the dashboard, as far as cookies and origins depend on it. */
export interface DashboardAddress {
  /** Scheme, host and port of `dashboard.publicUrl`; null: the address that the browser used. */
  readonly origin: string | null;
}

/** `__Host-` binds the cookie to this host alone, but browsers take it over https only. */
export function cookieName({ origin }: DashboardAddress): string {
  return isHttps(origin) ? "__Host-weir-session" : "weir-session";
}

/** The `Set-Cookie` value that gives a browser its session, or takes it away if `cookie` is empty. */
export function setCookie(
  address: DashboardAddress,
  cookie: string,
  maxAgeSeconds: number,
): string {
  const secure = isHttps(address.origin) ? "; Secure" : "";
  return `${cookieName(address)}=${cookie}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * The head with a session's two secrets as its bearer credential, so that every endpoint finds the session's
 * key as it finds any other. A head that has an Authorization header, or lacks a secret, stays as it is. So
 * does one whose `Origin` is not the dashboard's own, and one that changes something and has no `Origin`: a
 * page of another site may have sent it.
 */
export function withSession(head: RequestHead, address: DashboardAddress): RequestHead {
  const { headers } = head;
  if (header(headers, "authorization") !== undefined) return head;
  const token = header(headers, sessionHeader);
  const cookie = token === undefined ? undefined : cookieOf(headers, cookieName(address));
  if (token === undefined || cookie === undefined || !isFromDashboard(head, address)) return head;
  const credential = `Bearer ${credentialPrefix}${cookie}.${token}`;
  return { ...head, headers: [...headers, "authorization", credential] };
}

/** Whether the dashboard's own page has sent a request; reads need no `Origin`, which browsers leave out. */
export function isFromDashboard(
  { method, headers }: RequestHead,
  address: DashboardAddress,
): boolean {
  const origin = header(headers, "origin");
  if (origin === undefined) return method === "GET" || method === "HEAD";
  const own = address.origin ?? `http://${header(headers, "host") ?? ""}`;
  return origin === own;
}

/** The secrets in a bearer credential that `withSession` has made; null for a key's secret. */
export function sessionSecretsIn(credential: string): SessionSecrets | null {
  const [, cookie, token] = credentialPattern.exec(credential) ?? [];
  return cookie === undefined || token === undefined ? null : { cookie, token };
}

/** Finds keys by the secrets of sessions, and by `findKey` all others. */
export function findingSessions(sessions: Pick<Sessions, "find">, findKey: FindKey): FindKey {
  return (credential): Outcome<ApiKey> => {
    const secrets = sessionSecretsIn(credential);
    if (secrets === null) return findKey(credential);
    const found = sessions.find(secrets);
    return found.ok ? { ok: true, value: found.value.key } : found;
  };
}

/** A secret like any other: wherever keys are looked for and struck out, this is one. */
const credentialPrefix = `${serviceKeyPrefix}session.`;
const credentialPattern = new RegExp(
  `^${credentialPrefix.replaceAll(".", "\\.")}([0-9a-f]{64})\\.([0-9a-f]{64})$`,
);

function cookieOf(headers: FlatHeaders, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== "cookie") continue;
    for (const pair of (headers[i + 1] ?? "").split(";")) {
      const [key, value] = pair.trim().split("=", 2);
      if (key === name) return value;
    }
  }
  return undefined;
}

function isHttps(origin: string | null): boolean {
  return origin?.startsWith("https://") === true;
}
