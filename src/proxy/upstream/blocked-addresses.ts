import { BlockList, isIP } from "node:net";

type Network = readonly [address: string, prefix: number];

const blockedIpv4: readonly Network[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // A cloud serves its machines' agents at this address, which looks public.
  ["168.63.129.16", 32],
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

const blockedIpv6: readonly Network[] = [
  // Everything except 2000::/3, the only block of global unicast addresses. This covers unspecified,
  // loopback, all forms with an IPv4 address inside (compatible, mapped, translated, NAT64), discard-only,
  // segment routing, unique-local, link-local, site-local and multicast.
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  // Inside that block: protocol assignments (Teredo, benchmarking, ORCHID), documentation, 6to4.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** ISATAP: a tunnel to the IPv4 address in the last 32 bits, with any prefix. */
const isatapIdentifier = /:(?:0{0,4}|200):5efe:(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|[0-9.]+)$/;

// Two lists, because Node also finds an IPv4 address in a list's ::ffff:0:0/96.
const ipv4 = new BlockList();
const ipv6 = new BlockList();
for (const [address, prefix] of blockedIpv4) ipv4.addSubnet(address, prefix);
for (const [address, prefix] of blockedIpv6) ipv6.addSubnet(address, prefix, "ipv6");

/** True if `address` is no public unicast address, or no address at all (design section 8). */
export function isBlockedAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return ipv4.check(address);
    case 6:
      // A zone (`fe80::1%eth0`) is for link-local addresses only.
      if (address.includes("%") || ipv6.check(address, "ipv6")) return true;
      return isatapIdentifier.test(address.toLowerCase());
    default:
      return true;
  }
}
