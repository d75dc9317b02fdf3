import { isIPv4 } from "node:net";
import type { EntityDetector } from "../entity.ts";

/** Words that show that four numbers with dots are a version. */
const software = [
  "version",
  "versions",
  "ver",
  "release",
  "build",
  "upgrade",
  "upgraded",
  "firmware",
  "changelog",
  "section",
  "chapter",
  "assemblyversion",
  "fileversion",
  "oid",
  "object identifier",
];
const words = ["ip", "ipv4", "ipv6", "address", "host", "server", "client", "subnet", "gateway"];

export const ipv4Address: EntityDetector = {
  id: "ipv4-address",
  entityType: "IP_ADDRESS",
  label: "IP",
  category: "pii",
  description: "An IPv4 address or network in dotted decimal.",
  keywords: ["."],
  // The first branches match, without a value, longer runs of dotted numbers (object ids, section
  // numbers) and the versions of browsers.
  pattern: String.raw`\b\d+(?:\.\d+){4,32}|[A-Za-z]/\d{2,3}\.0\.0\.0\b|\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:/(?:3[0-2]|[12]?\d))?)\b`,
  group: 1,
  score: 0.8,
  validate: (value) => isIPv4(value.split("/", 1)[0] ?? ""),
  context: { words, score: 0.95 },
  otherwise: software,
  positives: [
    ["login from 203.0.113.77.", "203.0.113.77"],
    ["route 198.51.100.0/24 via eth0", "198.51.100.0/24"],
    ["203.0.113.7/40", "203.0.113.7"],
    ["http://192.0.2.5:8080/", "192.0.2.5"],
  ],
  negatives: [
    "OID 1.3.6.1.4.1.311",
    'ObjectIdentifier("2.5.29.9")',
    "Chrome/120.0.0.0 Safari/537.36",
    "v10.2.0.15 is out",
    "upgrade to version 4.18.0.2",
    "256.300.1.2",
  ],
};
