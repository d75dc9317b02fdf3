import { refuse, type Refusal } from "../contract/errors.ts";
import { endpointOfPath, modelEndpoints } from "../contract/endpoints/by-path.ts";
import { inServiceNamespace, readCredentials } from "./caller/authenticate.ts";
import { header, type Exchange } from "../exchange/exchange.ts";
import { refusalAnswer } from "../exchange/refusal.ts";

/** The parts of a path that its pattern names: `/keys/:id` → `{id}`. As sent, not decoded. */
export type PathParameters = Readonly<Record<string, string>>;

/** Answers one request. A rejection is a bug; the server logs it and answers 500. */
export type Handler = (exchange: Exchange, parameters: PathParameters) => void | Promise<void>;

type Methods = Readonly<Record<string, Handler>>;

/**
 * Path → method → handler. HEAD is served where GET is. A segment `:name` matches any segment that is not
 * empty. A last segment `*name` matches the rest of a path, slashes included, if it is not empty. A path
 * without such segments is tried before a path with them.
 */
export type RouteTable = Readonly<Record<string, Methods>>;

export interface Routes {
  readonly table: RouteTable;
  /**
   * Takes every path and method of a request that names its own upstream (spec: Authentication 5). null on a
   * listener that forwards nothing.
   */
  readonly ownKeys: Handler | null;
  /** Takes every method of the paths that it covers (spec: Authentication 6). */
  readonly controlPlane?: ControlPlaneRoute;
}

export interface ControlPlaneRoute {
  covers(path: string): boolean;
  serve(exchange: Exchange): Promise<void>;
}

/** The handler of a request, with its path parameters filled in. */
export function findHandler(
  exchange: Exchange,
  routes: Routes,
): (exchange: Exchange) => void | Promise<void> {
  const { path, method, headers } = exchange.head;
  if (routes.ownKeys !== null && header(headers, "x-svc-upstream-url") !== undefined) {
    const { ownKeys } = routes;
    return (one) => ownKeys(one, {});
  }
  const { controlPlane } = routes;
  if (controlPlane?.covers(path) === true) return (one) => controlPlane.serve(one);
  const match = matchOf(path, routes.table);
  if (match === undefined) return refusing(unmatched(exchange, routes));
  const { methods, parameters } = match;
  const handler = Object.hasOwn(methods, method)
    ? methods[method]
    : method === "HEAD"
      ? methods["GET"]
      : undefined;
  if (handler === undefined) {
    const wantsSocket = header(headers, "upgrade")?.toLowerCase() === "websocket";
    if (wantsSocket && endpointOfPath.has(path)) return refusing(noWebSocket);
    return refusing(methodNotAllowed(Object.keys(methods)));
  }
  return (one) => handler(one, parameters);
}

interface Match {
  readonly methods: Methods;
  readonly parameters: PathParameters;
}

function matchOf(path: string, table: RouteTable): Match | undefined {
  const exact = Object.hasOwn(table, path) && !/[:*]/.test(path) ? table[path] : undefined;
  if (exact !== undefined) return { methods: exact, parameters: {} };
  const segments = path.split("/");
  for (const [pattern, methods] of Object.entries(table)) {
    const parameters = /[:*]/.test(pattern) ? parametersOf(pattern, segments) : undefined;
    if (parameters !== undefined) return { methods, parameters };
  }
  return undefined;
}

/** undefined if the path does not match this pattern. */
function parametersOf(pattern: string, segments: readonly string[]): PathParameters | undefined {
  const places = pattern.split("/");
  const parameters: Record<string, string> = {};
  const rest = places.at(-1)?.startsWith("*") === true ? places.length - 1 : segments.length;
  if (rest < segments.length) {
    parameters[places[rest]?.slice(1) ?? ""] = segments.slice(rest).join("/");
    if (segments[rest] === "") return undefined;
    places.pop();
  } else if (places.length !== segments.length) return undefined;
  for (const [i, place] of places.entries()) {
    const segment = segments[i] ?? "";
    if (place.startsWith(":") && segment !== "") parameters[place.slice(1)] = segment;
    else if (place !== segment) return undefined;
  }
  return parameters;
}

function refusing(refusal: Refusal): (exchange: Exchange) => void {
  return (exchange) => exchange.respond(refusalAnswer(refusal, exchange.head));
}

/**
 * The refusal for a path that matches nothing. Inside the service's namespaces it is a 404, and the key is
 * not looked at. Elsewhere, a provider's bearer token means that the client forgot the upstream header.
 */
function unmatched({ head }: Exchange, { ownKeys }: Routes): Refusal {
  if (ownKeys === null || inServiceNamespace(head.path)) return notFound("");
  const credentials = readCredentials(head);
  if (!credentials.ok && credentials.refusal.code === "missing_upstream_header") {
    return credentials.refusal;
  }
  return notFound(head.path.startsWith("/api/v1/gateway") ? keysApiElsewhere : whatIsPaidFor);
}

function notFound(hint: string): Refusal {
  return refuse("unknown_route", `There is no such endpoint.${hint}`).refusal;
}

const keysApiElsewhere = " The keys API listens on a port of its own.";

const paidPaths = new Intl.ListFormat("en").format(modelEndpoints.map(({ path }) => path));

/** For clients whose base address has one /v1 too few or too many, and for clients of other endpoints. */
const whatIsPaidFor = ` The service pays for ${paidPaths}; for another path of a provider, send your own provider key and X-Svc-Upstream-Url.`;

function methodNotAllowed(methods: readonly string[]): Refusal {
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return refuse("method_not_allowed", "This endpoint does not take that method.", {
    headers: ["Allow", allowed.join(", ")],
  }).refusal;
}

/** Codex goes on over HTTP at once after a 426, and after any other status only when six more tries have failed. */
const noWebSocket = refuse(
  "websocket_unsupported",
  "This gateway speaks no WebSocket. Send the request as a POST.",
  { headers: ["Upgrade", "HTTP/1.1"] },
).refusal;
