import { isIPv6 } from "node:net";
import type { EntityDetector } from "../entity.ts";
import { ipv6Begin, ipv6Words, zoneAndBits } from "./ipv6-address.ts";

export const ipv6MappedAddress: EntityDetector = {
  id: "ipv6-mapped-address",
  entityType: "IP_ADDRESS",
  label: "IP",
  category: "pii",
  description: "An IPv6 address that ends as an IPv4 address.",
  keywords: [":"],
  pattern:
    String.raw`${ipv6Begin}[0-9a-f:]*[g-z_][\w:]*|` +
    String.raw`(${ipv6Begin}(?:[0-9a-f:]*:)?\d{1,3}(?:\.\d{1,3}){3}${zoneAndBits})\b|[\w)\]>]::[\w:]*`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: (value) => isIPv6(value.split("/", 1)[0] ?? ""),
  context: { words: ipv6Words, score: 0.95 },
  otherwise: ["namespace", "class"],
  positives: [
    ["mapped ::ffff:192.0.2.128 here", "::ffff:192.0.2.128"],
    ["64:ff9b::192.0.2.0/96", "64:ff9b::192.0.2.0/96"],
  ],
  negatives: ["::ffff:192.168.1", "2001:db8::256.1.1.1"],
};
