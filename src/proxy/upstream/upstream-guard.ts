import type { NamedUpstream } from "../../exchange/exchange.ts";
import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { refuse } from "../../contract/errors.ts";
import { checkedUpstreamsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { isBlockedAddress } from "./blocked-addresses.ts";
import { isBlockedName } from "./blocked-names.ts";

export interface GuardRules {
  /** Canonical `host` or `host:port`, exempt from the address check. */
  readonly allowedInternalHosts: readonly string[];
  /** null allows any port. */
  readonly upstreamPorts: readonly number[] | null;
}

/** All addresses of a name, as `dns.lookup` gives them. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The `code` of the error with which a pinned lookup refuses an address. */
export const blockedAddressCode = "ERR_UPSTREAM_ADDRESS_BLOCKED";

/**
 * Keeps calls to caller-named upstreams out of the operator's network (spec: Authentication 5; design section
 * 8). `check` checks the spelling for every request, before anything is sent. `lookup` checks every address
 * that DNS returns, for every connection, and pins the connection to the checked address. So changing the
 * address of a name in between does not help an attacker. Node does no lookup for a literal address, so both
 * checks are needed.
 *
 * A connection that is kept open stays safe: its peer is the address that was checked, and the rules don't
 * change while the process runs. If a name gets another address later, that address is used only for a new
 * connection, and is checked then. Connections of configured accounts are never shared with callers,
 * because their lookup checks nothing (`Upstream` keeps them apart).
 */
export class UpstreamGuard {
  readonly #rules: GuardRules;
  readonly #resolve: ResolveAll;
  readonly #allowed: ReadonlySet<string>;
  /** The result of each spelling. It depends only on the rules, which don't change. */
  readonly #checked = new Map<string, Outcome<NamedUpstream>>();

  constructor(rules: GuardRules, resolve: ResolveAll = lookup) {
    this.#rules = rules;
    this.#resolve = resolve;
    this.#allowed = new Set(rules.allowedInternalHosts.map((host) => host.toLowerCase()));
  }

  /**
   * Errors: `invalid_upstream` if it is no base address, `ssrf_blocked` if it leads into a blocked network.
   */
  check(value: string): Outcome<NamedUpstream> {
    const known = this.#checked.get(value);
    if (known !== undefined) return known;
    const checked = this.#judge(value);
    if (this.#checked.size >= checkedUpstreamsMax) this.#checked.clear();
    this.#checked.set(value, checked);
    return checked;
  }

  #judge(value: string): Outcome<NamedUpstream> {
    const url = readBaseAddress(value.trim());
    if (typeof url === "string") return refuse("invalid_upstream", `X-Svc-Upstream-Url ${url}.`);
    const port = portOf(url);
    if (!this.#allows(url.hostname, port) && !this.#mayCall(url.hostname, port)) {
      return refuse(
        "ssrf_blocked",
        "The address in X-Svc-Upstream-Url is not one that this gateway's network policy lets callers reach.",
      );
    }
    return accept({ origin: url.origin, basePath: withoutTrailingSlashes(url.pathname) });
  }

  /** A lookup for the connections to `origin`. It refuses with `blockedAddressCode`. */
  lookupFor(origin: string): LookupFunction {
    const url = new URL(origin);
    const exempt = this.#allows(url.hostname, portOf(url));
    return (hostname, options, callback) => {
      this.#resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const first = error === null ? addresses[0] : undefined;
        if (first === undefined) {
          callback(error ?? noAddressError(), []);
          return;
        }
        // One blocked address among good ones blocks the name, because it is chance which one is dialled.
        if (!exempt && addresses.some(({ address }) => isBlockedAddress(address))) {
          callback(blockedAddressError(), []);
          return;
        }
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    };
  }

  #allows(hostname: string, port: number): boolean {
    const name = hostname.replace(/\.$/, "");
    return this.#allowed.has(name) || this.#allowed.has(`${name}:${port}`);
  }

  #mayCall(hostname: string, port: number): boolean {
    const ports = this.#rules.upstreamPorts;
    if (ports !== null && !ports.includes(port)) return false;
    const literal = hostname.replace(/^\[|\]$/g, "");
    return isIP(literal) === 0 ? !isBlockedName(hostname) : !isBlockedAddress(literal);
  }
}

/** Not by a regular expression, which would search for the end after every slash in the middle. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

const hostName = /^(?:[a-z0-9_][a-z0-9_-]*\.)*[a-z][a-z0-9-]*\.?$/;

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/**
 * The URL, or the reason why the text is no base address. The URL standard repairs many faults (tabs,
 * backslashes, missing or extra slashes). Text that another parser might read differently is refused here
 * instead, because the URL's canonical form is what is checked and dialled.
 */
function readBaseAddress(address: string): URL | string {
  if (address === "") return "is empty";
  // Control characters, spaces and backslashes.
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(address)) return "has a character that no URL has";
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(address) ?? [];
  if (authority === undefined) return "does not begin with http:// or https:// and a host";
  if (authority.includes("@")) return "has a user name or password in it";
  if (/[?#]/.test(address)) return "has a query or a fragment";
  const url = URL.parse(address);
  if (url === null) return "is no URL";
  if (url.port === "0") return "has the port 0";
  // Resolvers treat empty labels, and characters that are invalid in names, differently.
  if (!url.hostname.startsWith("[") && isIP(url.hostname) === 0 && !hostName.test(url.hostname)) {
    return "has a host that is neither a name nor an address";
  }
  return url;
}

function blockedAddressError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error("the upstream's name leads to a blocked address");
  error.code = blockedAddressCode;
  return error;
}

function noAddressError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error("the upstream's name has no address");
  error.code = "ENOTFOUND";
  return error;
}
