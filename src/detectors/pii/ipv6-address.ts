import { isIPv6 } from "node:net";
import type { EntityDetector } from "../entity.ts";

/** A zone (`%eth0`) and the bits of a network. */
export const zoneAndBits = String.raw`(?:%\w(?:[\w.-]{0,30}\w)?)?(?:/(?:12[0-8]|1[01]\d|[1-9]?\d)\b)?`;

/**
 * The beginning of an address. Any run of its characters may follow, and the parser counts the
 * groups. Repeats with a bound would make an automaton of thousands of states.
 */
export const ipv6Begin = String.raw`(?:\b[0-9a-f]{1,4}:|::)`;

const notAddress = [
  // A word.
  String.raw`${ipv6Begin}[0-9a-f:]*[g-z_][\w:]*`,
  // An address that ends in decimal groups, complete or not, which ipv6-mapped-address.ts finds.
  String.raw`${ipv6Begin}[0-9a-f:]*\.\d[\d.]*`,
].join("|");

export const ipv6Words: readonly string[] = [
  "ip",
  "ipv6",
  "address",
  "host",
  "server",
  "client",
  "subnet",
  "gateway",
  "dns",
  "route",
];

export const ipv6Address: EntityDetector = {
  id: "ipv6-address",
  entityType: "IP_ADDRESS",
  label: "IP",
  category: "pii",
  description: "An IPv6 address or network, compressed or with a zone.",
  keywords: [":"],
  // The last branch matches the scope operator of programs.
  pattern:
    String.raw`${notAddress}|(${ipv6Begin}(?:[0-9a-f:]*(?:[0-9a-f]|::))?${zoneAndBits})|` +
    String.raw`[\w)\]>]::[\w:]*`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: (value) => {
    if (!isIPv6(value.split("/", 1)[0] ?? "")) return false;
    // A slice with a step: items[::4].
    if (/^::(?!1$)\d{1,2}$/.test(value)) return 0.3;
    // A name such as bad::face is an address too.
    return /\d/.test(value) || 0.3;
  },
  context: {
    words: ipv6Words,
    score: 0.95,
  },
  otherwise: ["mac", "fingerprint", "namespace", "class"],
  positives: [
    ["peer 2001:db8:85a3:0:0:8a2e:370:7334 up", "2001:db8:85a3:0:0:8a2e:370:7334"],
    ["listen on ::1, please", "::1"],
    ["fe80::1ff:fe23:4567:890a%eth2", "fe80::1ff:fe23:4567:890a%eth2"],
    ["net 2001:db8:abcd::/48.", "2001:db8:abcd::/48"],
    ["2001:db8::1: connection refused", "2001:db8::1"],
  ],
  negatives: [
    "std::vector<int>",
    "at 12:30:45 sharp",
    "Vec::<u8>::new()",
    "bad::face",
    "data[::4] = mask",
    "aa:bb:cc:dd:ee:ff",
    "a::before { }",
    "2001:db8::zone",
    "12345::1",
    "2001:db8::12345",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "a :: b",
    "::ffff:192.168.1",
  ],
};
