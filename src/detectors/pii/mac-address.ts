import type { EntityDetector } from "../entity.ts";

export const macAddress: EntityDetector = {
  id: "mac-address",
  entityType: "MAC_ADDRESS",
  label: "MAC",
  category: "pii",
  description: "A network adapter's address in colon, hyphen or dotted notation.",
  keywords: [],
  // The first branch matches longer runs, without a value: fingerprints of keys, IPv6 addresses,
  // UUIDs.
  pattern:
    String.raw`\b[0-9a-f]{2}(?::[0-9a-f]{2}){6,63}|\b[0-9a-f]{2}(?:-[0-9a-f]{2}){6,63}|` +
    String.raw`\b[0-9a-f]{4}(?:\.[0-9a-f]{4}){3,63}|\b([0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|` +
    String.raw`[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.8,
  validate: (value) => {
    const digits = value.replace(/[^0-9a-f]/gi, "").toLowerCase();
    if (digits === "000000000000" || digits === "ffffffffffff") return false;
    // 2024.0115.1230 is a time; 12-04-05-06-07-08 may be a list of numbers.
    return /[a-f]/.test(digits) || value.includes(":") || 0.3;
  },
  context: {
    words: ["mac", "ethernet", "adapter", "hardware", "bssid", "wifi", "nic"],
    score: 0.9,
  },
  positives: [
    ["MAC 3c:22:fb:9a:0e:71 joined", "3c:22:fb:9a:0e:71"],
    ["3C-22-FB-9A-0E-72.", "3C-22-FB-9A-0E-72"],
    ["switch learned 3c22.fb9a.0e73", "3c22.fb9a.0e73"],
  ],
  negatives: [
    "SHA1 3c:22:fb:9a:0e:71:3c:22:fb:9a:0e:71:3c:22:fb:9a:0e:71:00:11",
    "[*024b.0020.0002.0021] in a table of characters",
    "00:00:00:00:00:00",
    "ff:ff:ff:ff:ff:ff",
    "lap times 12:30:45",
  ],
};
