import { refuse, type Refusal } from "../contract/errors.ts";
import { inServiceNamespace, readCredentials } from "../pipeline/authenticate.ts";
import { header, type Exchange } from "../pipeline/exchange.ts";
import { refusalAnswer } from "../pipeline/refusal.ts";

/** Answers one request. A rejection is a bug; the server logs it and answers 500. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Path → method → handler. HEAD is served where GET is. */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

export interface Routes {
  readonly table: RouteTable;
  /** Takes every path and method of a request that names its own upstream (spec: Authentication 5). */
  readonly ownKeys: Handler | null;
}

/** The handler of a request. */
export function findHandler(exchange: Exchange, routes: Routes): Handler {
  const { path, method, headers } = exchange.head;
  if (routes.ownKeys !== null && header(headers, "x-svc-upstream-url") !== undefined) {
    return routes.ownKeys;
  }
  const methods = Object.hasOwn(routes.table, path) ? routes.table[path] : undefined;
  if (methods === undefined) return refusing(unmatched(exchange));
  const handler = Object.hasOwn(methods, method)
    ? methods[method]
    : method === "HEAD"
      ? methods["GET"]
      : undefined;
  return handler ?? refusing(methodNotAllowed(Object.keys(methods)));
}

function refusing(refusal: Refusal): Handler {
  return (exchange) => exchange.respond(refusalAnswer(refusal));
}

/**
 * A path that matches nothing: 404 without a look at the key inside the service's namespaces;
 * elsewhere a provider's bearer token tells that the upstream header was forgotten.
 */
function unmatched(exchange: Exchange): Refusal {
  const notFound = refuse("unknown_route", "There is no such endpoint.").refusal;
  if (inServiceNamespace(exchange.head.path)) return notFound;
  const credentials = readCredentials(exchange.head);
  return !credentials.ok && credentials.refusal.code === "missing_upstream_header"
    ? credentials.refusal
    : notFound;
}

function methodNotAllowed(methods: readonly string[]): Refusal {
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return refuse("method_not_allowed", "This endpoint does not take that method.", {
    headers: ["Allow", allowed.join(", ")],
  }).refusal;
}
