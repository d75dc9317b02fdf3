import { describe, expect, test } from "vitest";
import type { UpstreamCall } from "../../../src/exchange/exchange.ts";
import { sendable } from "../../../src/proxy/upstream/sendable.ts";

function call(target: string, headers: string[] = [], method = "POST"): UpstreamCall {
  return {
    origin: "https://api.example.com",
    guarded: false,
    method,
    target,
    headers,
    body: [],
    timeoutsMs: { connect: 1, headers: 1, idle: 1 },
    responseBytesMax: 1,
  };
}

/** UTF-8 as Latin-1 reads it: a character for each byte. */
const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

describe("what came as UTF-8 goes out in the same bytes", () => {
  test.each([
    "plain",
    "",
    "a\tb",
    "Caf\u00e9 Paris",
    "\u65e5\u672c\u8a9e app",
    "\u{1f600}",
    "a\u010d\u010ab",
  ])("a header: %j", (value) => {
    const sent = sendable(call("/", ["x-title", value]));
    expect(sent).toMatchObject({ ok: true, value: { headers: ["x-title", bytesOf(value)] } });
  });

  test.each(["/v1/x?a=1&b=%20", "/v1/\u65e5?q=\u00e9"])("a target: %j", (target) => {
    expect(sendable(call(target))).toMatchObject({ ok: true, value: { target: bytesOf(target) } });
  });
});

test.each<[string, UpstreamCall]>([
  ["bytes that were no UTF-8, in a header", call("/", ["x-title", "Caf\ufffd"])],
  ["a line break in a header", call("/", ["x-title", "a\r\nb"])],
  ["a control character in a header", call("/", ["x-title", "a\u0001b"])],
  ["a header's name that is none", call("/", ["x(y", "1"])],
  ["bytes that were no UTF-8, in a target", call("/?q=\ufffd")],
  ["a space in a target", call("/a b")],
  ["a control character in a target", call("/a\u0001")],
  ["a method that is none", call("/", [], "P@ST")],
])("%s: 400", (_name, refused) => {
  expect(sendable(refused)).toMatchObject({ ok: false, refusal: { code: "invalid_request" } });
});
