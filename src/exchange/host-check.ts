import { isIP } from "node:net";
import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { header, type FlatHeaders } from "./exchange.ts";

/** The names by which clients may reach this gateway. */
export interface ServedHosts {
  /** True if the gateway listens on loopback only. Then no honest client sends a foreign name in `Host`. */
  readonly loopbackOnly: boolean;
  /** Names besides addresses and `localhost`, spelled as in WHATWG URLs (`network.allowedHosts`). */
  readonly allowed: readonly string[];
}

/**
 * Refuses requests that a web page may have sent through its visitor's browser: a page can point its own name
 * at this address, and then counts as the same origin (DNS rebinding). Requests without `Origin` do not come
 * from a page. Errors: `forbidden`.
 */
export function checkHost(headers: FlatHeaders, hosts: ServedHosts): Outcome<null> {
  const host = hostnameOf(`http://${header(headers, "host") ?? ""}`);
  const checksHost = hosts.loopbackOnly || hosts.allowed.length > 0;
  if (checksHost && !(host !== undefined && isServed(host, hosts))) {
    return refuse(
      "forbidden",
      "The Host header does not name this gateway; see network.allowedHosts.",
    );
  }
  const origin = header(headers, "origin");
  if (origin === undefined) return accept(null);
  const from = hostnameOf(origin);
  // An address can't be rebound. But a page may come from another server's address.
  const isOurs = from !== undefined && isServed(from, hosts) && (!isAddress(from) || from === host);
  return isOurs || (from !== undefined && isLoopbackName(from))
    ? accept(null)
    : refuse(
        "forbidden",
        "The Origin header does not name this gateway; see network.allowedHosts.",
      );
}

/**
 * Whether `Host` names this gateway by an address, `localhost` or one of the allowed names. Any other name may be a
 * page's own, pointed at this address.
 */
export function namesGateway(headers: FlatHeaders, allowed: readonly string[]): boolean {
  const host = hostnameOf(`http://${header(headers, "host") ?? ""}`);
  return host !== undefined && isServed(host, { loopbackOnly: false, allowed });
}

function isServed(hostname: string, { allowed }: ServedHosts): boolean {
  return isAddress(hostname) || isLoopbackName(hostname) || allowed.includes(hostname);
}

/** A name that resolves to this machine everywhere, or a loopback address. */
function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** As WHATWG URLs spell it: IPv6 in brackets. */
function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
