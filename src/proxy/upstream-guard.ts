import { lookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { accept, type Outcome } from "../contract/outcome.ts";
import { refuse } from "../contract/errors.ts";

export interface GuardRules {
  /** `host` or `host:port`, exempt from the address check. */
  readonly allowedInternalHosts: readonly string[];
  /** null: any port. */
  readonly upstreamPorts: readonly number[] | null;
}

/** An upstream that a caller named, checked as far as its spelling tells. */
export interface NamedUpstream {
  /** Scheme, host and port in canonical form. */
  readonly origin: string;
  /** What precedes the request's path, without a trailing slash. */
  readonly basePath: string;
}

/** The `code` of the error with which a pinned lookup refuses an address. */
export const blockedAddressCode = "ERR_UPSTREAM_ADDRESS_BLOCKED";

const blockedIpv4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

const blockedIpv6: readonly (readonly [string, number])[] = [
  // Unspecified, loopback and IPv4-compatible; IPv4-mapped; IPv4-translated.
  ["::", 96],
  ["::ffff:0:0", 96],
  ["::ffff:0:0:0", 96],
  // NAT64, well-known and local.
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  // Discard-only, Teredo, benchmarking, ORCHID, documentation, 6to4.
  ["100::", 64],
  ["2001::", 32],
  ["2001:2::", 48],
  ["2001:10::", 28],
  ["2001:20::", 28],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  // Segment routing, unique-local, link-local, site-local, multicast.
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const blockedNames = new Set([
  "localhost",
  "metadata",
  "metadata.google.internal",
  "instance-data",
]);
const blockedSuffixes = [".localhost", ".internal", ".local", ".localdomain"];

/**
 * Keeps calls to caller-named upstreams out of the operator's network (spec: Authentication 5;
 * design section 8). `check` judges the spelling before anything is sent; `lookup` judges every
 * address that DNS gives and pins the connection to what was judged, so a name that changes its
 * address in between gains nothing. undici asks no lookup for an address literal, so both are
 * needed.
 */
export class UpstreamGuard {
  readonly #rules: GuardRules;
  // Two lists, for Node finds an IPv4 address in a list's ::ffff:0:0/96 as well.
  readonly #blockedIpv4 = new BlockList();
  readonly #blockedIpv6 = new BlockList();
  readonly #allowed: ReadonlySet<string>;

  constructor(rules: GuardRules) {
    this.#rules = rules;
    this.#allowed = new Set(rules.allowedInternalHosts.map((host) => host.toLowerCase()));
    for (const [network, prefix] of blockedIpv4) this.#blockedIpv4.addSubnet(network, prefix);
    for (const [network, prefix] of blockedIpv6)
      this.#blockedIpv6.addSubnet(network, prefix, "ipv6");
  }

  /** Errors: `invalid_upstream` for what is no base address, `ssrf_blocked` for where it leads. */
  check(value: string): Outcome<NamedUpstream> {
    const url = value.trim() === "" || !URL.canParse(value) ? null : new URL(value);
    const fault = url === null ? "is empty or no URL" : baseAddressFault(url);
    if (url === null || fault !== null) {
      return refuse("invalid_upstream", `X-Svc-Upstream-Url ${fault ?? ""}.`);
    }
    const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
    if (!this.#allows(url.hostname, port) && !this.#mayCall(url.hostname, port)) {
      return refuse(
        "ssrf_blocked",
        "The address in X-Svc-Upstream-Url is not one that this gateway's network policy lets callers reach.",
      );
    }
    return accept({ origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") });
  }

  /** A lookup for the connections to `origin`: refuses with `blockedAddressCode`. */
  lookupFor(origin: string): LookupFunction {
    const url = new URL(origin);
    const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
    const exempt = this.#allows(url.hostname, port);
    return (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) {
          callback(error, []);
          return;
        }
        // One forbidden address among good ones condemns the name: which one is dialled is chance.
        if (!exempt && (addresses.length === 0 || addresses.some((a) => this.#isBlocked(a)))) {
          callback(blockedAddressError(), []);
          return;
        }
        const first = addresses[0];
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      });
    };
  }

  #allows(hostname: string, port: number): boolean {
    return this.#allowed.has(hostname) || this.#allowed.has(`${hostname}:${port}`);
  }

  #mayCall(hostname: string, port: number): boolean {
    const ports = this.#rules.upstreamPorts;
    if (ports !== null && !ports.includes(port)) return false;
    const literal = hostname.replace(/^\[|\]$/g, "");
    const family = isIP(literal);
    if (family !== 0) return !this.#isBlocked({ address: literal, family });
    const name = hostname.replace(/\.+$/, "");
    return !blockedNames.has(name) && !blockedSuffixes.some((suffix) => name.endsWith(suffix));
  }

  #isBlocked({ address, family }: LookupAddress): boolean {
    // A zone (`fe80::1%eth0`) is for link-local addresses only.
    if (address.includes("%")) return true;
    return family === 6
      ? this.#blockedIpv6.check(address, "ipv6")
      : this.#blockedIpv4.check(address);
  }
}

function baseAddressFault(url: URL): string | null {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither http nor https";
  if (url.username !== "" || url.password !== "") return "has a user name or password in it";
  if (url.search !== "" || url.hash !== "") return "has a query or a fragment";
  if (url.hostname === "") return "names no host";
  return null;
}

function blockedAddressError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error("the upstream's name leads to a blocked address");
  error.code = blockedAddressCode;
  return error;
}
