import { isIPv6 } from "node:net";
import type { EntityDetector } from "../entity.ts";

const dotted = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const zoneAndBits = String.raw`(?:%\w(?:[\w.-]{0,30}\w)?)?(?:/(?:12[0-8]|1[01]\d|[1-9]?\d)\b)?`;

/**
 * What begins like an address and goes on with its characters; the parser counts the groups. Repeats
 * with a bound would make an automaton of thousands of states.
 */
const begin = String.raw`(?:\b[0-9a-f]{1,4}:|::)`;
const address = `${begin}(?:[0-9a-f:]*:)?${dotted}|${begin}(?:[0-9a-f:]*(?:[0-9a-f]|::))?`;
const word = String.raw`${begin}[0-9a-f:]*[g-z_][\w:]*`;

export const ipv6Address: EntityDetector = {
  id: "ipv6-address",
  entityType: "IP_ADDRESS",
  label: "IP",
  category: "pii",
  description: "An IPv6 address or network, compressed, mapped or with a zone.",
  keywords: [":"],
  // The first branch, a word, and the last one, the scope operator of programs, are no address.
  pattern: String.raw`${word}|((?:${address})${zoneAndBits})|[\w)\]>]::[\w:]*`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: (value) => {
    if (!isIPv6(value.split("/", 1)[0] ?? "")) return false;
    // bad::face is one as well.
    return /\d/.test(value) || 0.3;
  },
  context: {
    words: [
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
    ],
    score: 0.95,
  },
  otherwise: ["mac", "fingerprint", "namespace", "class"],
  positives: [
    ["peer 2001:db8:85a3:0:0:8a2e:370:7334 up", "2001:db8:85a3:0:0:8a2e:370:7334"],
    ["listen on ::1, please", "::1"],
    ["fe80::1ff:fe23:4567:890a%eth2", "fe80::1ff:fe23:4567:890a%eth2"],
    ["net 2001:db8:abcd::/48.", "2001:db8:abcd::/48"],
    ["mapped ::ffff:192.0.2.128 here", "::ffff:192.0.2.128"],
    ["2001:db8::1: connection refused", "2001:db8::1"],
  ],
  negatives: [
    "std::vector<int>",
    "at 12:30:45 sharp",
    "Vec::<u8>::new()",
    "bad::face",
    "aa:bb:cc:dd:ee:ff",
    "a::before { }",
    "2001:db8::zone",
    "12345::1",
    "2001:db8::12345",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "a :: b",
  ],
};
