import { isIPv6 } from "node:net";
import type { EntityDetector } from "../entity.ts";

const group = "[0-9a-f]{1,4}";
const dotted = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const zoneAndBits = String.raw`(?:%\w(?:[\w.-]{0,30}\w)?)?(?:/(?:12[0-8]|1[01]\d|[1-9]?\d)\b)?`;

const address =
  String.raw`\b(?:${group}:){1,7}(?:(?::${group}){0,6}:${dotted}|(?::${group}){1,7}\b|` +
  String.raw`${dotted}|${group}\b|:)|::(?:(?:${group}:){0,6}${dotted}|(?:${group}:){0,6}${group}\b)?`;

/** Groups that go on as something else: a word, five digits, a ninth group, a second gap. */
const malformed =
  String.raw`\b[0-9a-f]{0,4}:[0-9a-f:]{0,64}(?:[g-z_]|[0-9a-f]{5}|:::)` +
  String.raw`[\w:]{0,64}|\b(?:${group}:){8,32}[\w:]{0,64}|` +
  String.raw`[0-9a-f:]{0,39}::[0-9a-f:]{0,39}[0-9a-f]::[\w:]{0,64}`;

export const ipv6Address: EntityDetector = {
  id: "ipv6-address",
  entityType: "IP_ADDRESS",
  label: "IP",
  category: "pii",
  description: "An IPv6 address or network, compressed, mapped or with a zone.",
  keywords: [":"],
  // The first branch and the last one, the scope operator of programs, eat what is no address.
  pattern: String.raw`${malformed}|((?:${address})${zoneAndBits})|[\w)\]>]::\w{0,64}`,
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
