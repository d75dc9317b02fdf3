import type { Wire } from "../../contract/wire.ts";
import type { Candidate } from "../routing/accounts.ts";
import type { FlatHeaders, NamedUpstream, RequestHead } from "../../exchange/exchange.ts";
import {
  forwardedQuery,
  byokHeaders,
  payThroughHeaders,
  payThroughQuery,
} from "../../exchange/forward-headers.ts";

/**
 * Everything that determines an answer, besides the body and the organization, as a list that JSON can write.
 * It includes the credentials, so callers share an answer only if they use the same ones.
 */
export type CacheSubject = readonly unknown[];

/** The subject if the service pays: any account of the pool may have given the answer. */
export function payThroughSubject(
  head: RequestHead,
  wire: Wire,
  provider: string | null,
  candidates: readonly Candidate[],
): CacheSubject {
  // The accounts take turns, so their order differs each time.
  const pool = candidates.toSorted((a, b) => (a.account.name < b.account.name ? -1 : 1));
  const [first] = pool;
  const headers = first === undefined ? [] : payThroughHeaders(head.headers, first.account, wire);
  const served = pool.map(({ account, model }) => [
    account.name,
    account.type,
    account.origin,
    account.basePath,
    account.apiPath,
    account.query,
    account.credential,
    model.id,
  ]);
  const target = head.path + payThroughQuery(head.query);
  return ["pay_through", wire, target, provider, served, deciding(headers)];
}

/** The subject with own keys: the upstream, and every header that goes there. */
export function byokSubject(
  head: RequestHead,
  wire: Wire,
  { origin, basePath }: NamedUpstream,
): CacheSubject {
  const target = head.path + forwardedQuery(head.query);
  return ["own_keys", wire, target, origin, basePath, deciding(byokHeaders(head.headers))];
}

/** These headers describe the client or this one request, not what is asked for. */
const neutralNames: ReadonlySet<string> = new Set([
  "accept-encoding",
  "idempotency-key",
  "traceparent",
  "tracestate",
  "user-agent",
]);

/** The name and value of each header that may change an answer, in any order. */
function deciding(headers: FlatHeaders): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (neutralNames.has(name) || name.startsWith("x-stainless-")) continue;
    pairs.push([name, headers[i + 1] ?? ""]);
  }
  return pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
