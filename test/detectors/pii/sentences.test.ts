import { describe, expect, test } from "vitest";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import { phiDetectors } from "../../../src/detectors/phi/catalog.ts";
import { piiDetectors } from "../../../src/detectors/pii/catalog.ts";

const engine = new EntityEngine([...piiDetectors, ...phiDetectors]);

function findingsIn(text: string): string[] {
  return engine
    .scan(text, { categories: new Set(["pii", "phi"]), threshold: null })
    .map(({ detector, start, end }) => `${detector.entityType} ${text.slice(start, end)}`);
}

describe("what stands in a sentence", () => {
  test.each([
    [
      "Mail anna.b+x@example.com or call +1 415 555 0132.",
      ["EMAIL_ADDRESS anna.b+x@example.com", "PHONE_NUMBER +1 415 555 0132"],
    ],
    [
      "Card 4539 1488 0343 6467, IBAN DE89 3704 0044 0532 0130 00.",
      ["CREDIT_CARD 4539 1488 0343 6467", "IBAN_CODE DE89 3704 0044 0532 0130 00"],
    ],
    [
      "SSN 536-22-8147, born on April 9, 1991, lives at 742 Juniper Road, Dayton, OH 45402",
      [
        "US_SSN 536-22-8147",
        "DATE_OF_BIRTH April 9, 1991",
        "STREET_ADDRESS 742 Juniper Road",
        "ZIP_CODE 45402",
      ],
    ],
    ["😀 203.0.113.77 😀 ::1", ["IP_ADDRESS 203.0.113.77", "IP_ADDRESS ::1"]],
    ["203.0.113.77,203.0.113.78", ["IP_ADDRESS 203.0.113.77", "IP_ADDRESS 203.0.113.78"]],
    ["a@example.com,b@example.com", ["EMAIL_ADDRESS a@example.com", "EMAIL_ADDRESS b@example.com"]],
    ["https://example.com/u?mail=a.b@example.com", ["EMAIL_ADDRESS a.b@example.com"]],
    [
      "passport number 548821907 and NHS number 485 777 3457",
      ["US_PASSPORT 548821907", "UK_NHS 485 777 3457"],
    ],
    ["주민등록번호는 840512-1482137", ["KR_RRN 840512-1482137"]],
    ["mapped ::ffff:192.0.2.128/96", ["IP_ADDRESS ::ffff:192.0.2.128/96"]],
  ])("%s", (text, findings) => {
    expect(findingsIn(text)).toEqual(findings);
  });
});

describe("what only looks like data of a person", () => {
  test.each([
    "order 4821390755, invoice 00482139, total 1,234,567.89 in 2031",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes it",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha512-tIOCM9yx2Go6d5/ZANe0K+G4AZek1Ymx81HxQpf19Sri4zMP95eQbKdnUGHAvFQ4nx0PeLhFqvAfisTADXj3tQ==",
    "const timeoutMs = 1700000000000; // x86_64, ISO-8859-1, RFC 2616",
    "for (let i = 0; i < 1000000000; i += 1) total[i] = std::max(a::b, c);",
    "Ratio 16:9, score 3:1, Psalm 23:4, chapter 12.4.1, room 404",
    "| 482139075 | 1482139007 | 021033111 | 48213907523 |",
    "pi is 3.14159265358979, e is 2.718281828459045",
    "border: 1px solid #482139; margin: 0 0 12px;",
    "version 10.2.0.15 of the firmware, build 4821390",
  ])("%s", (text) => {
    expect(findingsIn(text)).toEqual([]);
  });
});
