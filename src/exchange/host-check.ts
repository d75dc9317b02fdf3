import { isIP } from "node:net";
import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { header, type FlatHeaders } from "./exchange.ts";

/** By which names this gateway may be reached. */
export interface ServedHosts {
  /** Listens on loopback only, so that a foreign name in `Host` has no honest reason. */
  readonly loopbackOnly: boolean;
  /** Names beside addresses and `localhost`, as WHATWG URLs spell them (`network.allowedHosts`). */
  readonly allowed: readonly string[];
}

/**
 * Refuses what a web page may have sent through its visitor's browser: a page can point its own name
 * at this address and then counts as of the same origin (DNS rebinding). Requests without `Origin`
 * are no browser's. Errors: `forbidden`.
 */
export function checkHost(headers: FlatHeaders, hosts: ServedHosts): Outcome<null> {
  const host = hostnameOf(`http://${header(headers, "host") ?? ""}`);
  const checksHost = hosts.loopbackOnly || hosts.allowed.length > 0;
  if (checksHost && !(host !== undefined && isServed(host, hosts))) {
    return refuse("forbidden", "Host names no host of this gateway; see network.allowedHosts.");
  }
  const origin = header(headers, "origin");
  if (origin === undefined) return accept(null);
  const from = hostnameOf(origin);
  // A page on an address can't be another's by rebinding, but it can be another's.
  const isOurs = from !== undefined && isServed(from, hosts) && (!isAddress(from) || from === host);
  return isOurs || (from !== undefined && isLoopbackName(from))
    ? accept(null)
    : refuse("forbidden", "Origin is not one of this gateway's; see network.allowedHosts.");
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
