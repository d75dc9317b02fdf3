import { describe, expect, test } from "vitest";
import { isNoise } from "../../src/detectors/noise.ts";

function isNoiseIn(text: string, value: string, category: "pii" | "credential" = "pii"): boolean {
  const start = text.indexOf(value);
  expect(start).not.toBe(-1);
  return isNoise(category, text, start, start + value.length);
}

const base64 = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k4111111111111111mrze8BI0VniavN7w";

describe("noise", () => {
  test.each([
    ["a UUID", "id 12345678-9012-3456-7890-123456789012 end", "9012-3456-7890"],
    ["a UUID with letters", "8f14e45f-ceea-467a-9575-415555013277", "415555013277"],
    ["an MD5 hash", "e4155550132aaf00b204e9800998ecf8", "4155550132"],
    ["a SHA-1 hash", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "95601890"],
    ["a SHA-256 hash", `0x${"4111111111111111".repeat(4)}`, "4111111111111111"],
    ["a run of base64", base64, "4111111111111111"],
    ["a data URL", `<img src="data:image/png;base64,${base64}">`, "4111111111111111"],
    ["a run of base64 after a sign", base64.replace("4111", "/4111"), "4111111111111111"],
    ["an identifier", "user_4155550132", "4155550132"],
    ["an identifier with letters beyond ASCII", "größe4155550132", "4155550132"],
    ["a fraction", "pi is 3.14159265358979", "14159265358979"],
    ["a version", "v2.123456789.7", "123456789"],
  ])("a number in %s", (_, text, value) => {
    expect(isNoiseIn(text, value)).toBe(true);
  });

  test.each([
    ["alone", "4111111111111111", "4111111111111111"],
    ["in a list", "415-555-0132,4155550133,415-555-0134", "4155550133"],
    ["at a sentence's end", "Call 4155550132. 2 of us wait.", "4155550132"],
    [
      "in a path",
      "/Users/CustomerRecords/Billing/4111111111111111/Transactions/History",
      "4111111111111111",
    ],
    ["in a query", "https://example.com/?card=4111111111111111&cvc=123", "4111111111111111"],
    ["beside characters without case", "电话4155550132号", "4155550132"],
    [
      "in a list with hyphens",
      "1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16-17-18-4155550132",
      "4155550132",
    ],
    ["with hyphens around it", "a-4155550132-b", "4155550132"],
    [
      "that is its whole run",
      "x 1KPCDZgzQTuniQeXA9bumvc3ATPxNLg8vS y",
      "1KPCDZgzQTuniQeXA9bumvc3ATPxNLg8vS",
    ],
  ])("a number %s is none", (_, text, value) => {
    expect(isNoiseIn(text, value)).toBe(false);
  });

  test.each([
    ["an e-mail address", "x-jane_7@example.com", "jane_7@example.com"],
    ["a name", "anna_smith", "smith"],
  ])("%s is never noise", (_, text, value) => {
    expect(isNoiseIn(text, value)).toBe(false);
  });

  test("a credential is noise only in a far longer run of base64", () => {
    const key = `AKIA${"4Q7ZX2MB".repeat(2)}`;
    expect(isNoiseIn(`x="${key}"`, key, "credential")).toBe(false);
    expect(isNoiseIn(`${base64}/${key}/${base64}`, key, "credential")).toBe(false);
    expect(isNoiseIn(`${base64.repeat(3)}/${key}/${base64.repeat(3)}`, key, "credential")).toBe(
      true,
    );
  });

  test.each([
    ["a name and a sign", (token: string) => `ACCESS_TOKEN=${token}`],
    ["a path", (token: string) => `/v1/sessions/${token}/refresh`],
    ["a separator", (token: string) => `-${token}_`],
  ])("a long credential is no noise beside %s", (_, around) => {
    for (const times of [3, 6, 30]) {
      const token = base64.repeat(times);
      expect(isNoiseIn(around(token), token, "credential")).toBe(false);
    }
  });
});
