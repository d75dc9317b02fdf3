import { BlockList, isIP } from "node:net";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";

/** Proxies whose `X-Forwarded-For` is believed (`network.trustedProxies`): addresses and networks. */
export class TrustedProxies {
  // Two lists, because Node also finds an IPv4 address in a list's ::ffff:0:0/96.
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();
  readonly #isEmpty: boolean;

  /** `networks` must be valid; the configuration checks them. */
  constructor(networks: readonly string[]) {
    this.#isEmpty = networks.length === 0;
    for (const network of networks) {
      const [address = "", prefix] = network.split("/");
      const is6 = isIP(address) === 6;
      const list = is6 ? this.#ipv6 : this.#ipv4;
      list.addSubnet(
        address,
        prefix === undefined ? (is6 ? 128 : 32) : Number(prefix),
        is6 ? "ipv6" : "ipv4",
      );
    }
  }

  /** `address` must come from `canonicalAddress`. */
  trusts(address: string): boolean {
    if (this.#isEmpty) return false;
    return isIP(address) === 6 ? this.#ipv6.check(address, "ipv6") : this.#ipv4.check(address);
  }
}

/**
 * The client's address. It is the socket's address, unless that is a trusted proxy. Then it is the right-most
 * address in `X-Forwarded-For` that is not a trusted proxy. The client wrote everything left of it, so that
 * does not count. If a proxy writes no address, the proxy itself is the client. The PROXY protocol is never
 * used (design section 8).
 */
export function clientAddress(
  socketAddress: string,
  headers: FlatHeaders,
  proxies: TrustedProxies,
): string {
  let client = canonicalAddress(socketAddress) ?? socketAddress;
  if (!proxies.trusts(client)) return client;
  for (const hop of forwardedFor(headers).reverse()) {
    const address = canonicalAddress(withoutPort(hop));
    if (address === undefined) return client;
    client = address;
    if (!proxies.trusts(client)) return client;
  }
  return client;
}

/** The network that the limit counts: an IPv4 address, or an IPv6 /64, the least that one subscriber has. */
export function limitedNetwork(address: string): string {
  const groups = isIP(address) === 6 ? ipv6Groups(address) : undefined;
  return groups === undefined ? address : `${groups.slice(0, 4).map(hex).join(":")}::/64`;
}

/**
 * One spelling for every address: decimal for IPv4, including IPv4-mapped IPv6; else eight groups. undefined
 * if the text is no address.
 */
export function canonicalAddress(text: string): string | undefined {
  const [address = ""] = text.split("%");
  const family = isIP(address);
  if (family === 4) return address;
  const groups = family === 6 ? ipv6Groups(address) : undefined;
  if (groups === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return groups.map(hex).join(":");
}

/** The eight numbers of a valid IPv6 address. */
function ipv6Groups(address: string): number[] | undefined {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [, head = "", a, b, c, d] = dotted ?? [];
  const text =
    dotted === null
      ? address
      : `${head}${hex(Number(a) * 256 + Number(b))}:${hex(Number(c) * 256 + Number(d))}`;
  const [left = "", right] = text.split("::");
  const groupsOf = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const before = groupsOf(left);
  const after = groupsOf(right ?? "");
  const zeros = right === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<number>(Math.max(0, zeros)).fill(0), ...after];
  return groups.length === 8 ? groups : undefined;
}

/** All addresses, the nearest proxy's last. Several headers count as one list. */
function forwardedFor(headers: FlatHeaders): string[] {
  if (header(headers, "x-forwarded-for") === undefined) return [];
  const values = headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === "x-forwarded-for");
  return values.join(",").split(",");
}

/** Removes the port that some proxies write: `1.2.3.4:80`, `[::1]:80`. */
function withoutPort(text: string): string {
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed) ?? [];
  if (bracketed !== undefined) return bracketed;
  return /^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf(":")) : trimmed;
}

function hex(group: number): string {
  return group.toString(16);
}
