import { describe, expect, test } from "vitest";
import { readFraming } from "../../../src/proxy/listener/framing.ts";

describe("framing that is accepted", () => {
  const cases: [string, string, string[], unknown][] = [
    ["no body", "GET", [], { length: 0, encoding: null, isLast: false }],
    ["a length", "POST", ["content-length", "12"], { length: 12, encoding: null, isLast: false }],
    [
      "an empty body",
      "POST",
      ["content-length", "0"],
      { length: 0, encoding: null, isLast: false },
    ],
    [
      "chunked",
      "POST",
      ["transfer-encoding", "Chunked"],
      { length: "chunked", encoding: null, isLast: true },
    ],
    ["a POST without a length", "POST", ["host", "x"], { length: 0, encoding: null, isLast: true }],
    ["DELETE without a length", "DELETE", [], { length: 0, encoding: null, isLast: false }],
    [
      "a value that looks like a header's name",
      "POST",
      ["x-a", "content-length", "content-length", "5"],
      { length: 5, encoding: null, isLast: false },
    ],
    [
      "gzip",
      "POST",
      ["content-length", "5", "content-encoding", "GZIP"],
      { length: 5, encoding: "gzip", isLast: false },
    ],
    [
      "identity",
      "POST",
      ["content-length", "5", "content-encoding", "identity"],
      { length: 5, encoding: null, isLast: false },
    ],
  ];
  test.each(cases)("%s", (_name, method, headers, framing) => {
    expect(readFraming(method, headers)).toMatchObject(framing as object);
  });

  test.each([
    ["gzip", "gzip"],
    ["X-Gzip", "gzip"],
    ["br", "br"],
    ["zstd", "zstd"],
    [" deflate ", "deflate"],
    ["", null],
  ])("the content encoding %j", (value, encoding) => {
    const headers = ["content-length", "5", "content-encoding", value];
    expect(readFraming("POST", headers)).toMatchObject({ encoding });
  });
});

test.each([
  ["100-Continue", "12", true],
  ["100-CONTINUE", "12", true],
  // uWS answers these itself, or nobody waits.
  ["100-continue", "12", false],
  ["100-Continue", "0", false],
  ["something", "12", false],
])("Expect: %s with %s bytes of body: 100 Continue is ours to send: %s", (value, length, ours) => {
  const headers = ["content-length", length, "expect", value];
  expect(readFraming("POST", headers)).toMatchObject({ awaitsContinue: ours });
});

describe("framing that is refused", () => {
  const cases: [string, string, string[]][] = [
    ["two lengths", "POST", ["content-length", "1", "content-length", "1"]],
    ["an empty length", "POST", ["content-length", ""]],
    ["a signed length", "POST", ["content-length", "+5"]],
    ["a negative length", "POST", ["content-length", "-5"]],
    ["a hexadecimal length", "POST", ["content-length", "0x10"]],
    ["a list of lengths", "POST", ["content-length", "5, 5"]],
    ["a length beyond exact doubles", "POST", ["content-length", "9999999999999999"]],
    ["a length beside chunked", "POST", ["content-length", "5", "transfer-encoding", "chunked"]],
    [
      "two transfer encodings",
      "POST",
      ["transfer-encoding", "chunked", "transfer-encoding", "chunked"],
    ],
    ["chunked twice", "POST", ["transfer-encoding", "chunked, chunked"]],
    ["gzip, chunked", "POST", ["transfer-encoding", "gzip, chunked"]],
    ["an unknown transfer encoding", "POST", ["transfer-encoding", "xchunked"]],
    ["an empty transfer encoding", "POST", ["transfer-encoding", ""]],
    ["two hosts", "GET", ["host", "a", "host", "b"]],
    ["an empty header name", "GET", ["", "x"]],
    [
      "an unknown content encoding",
      "POST",
      ["content-length", "5", "content-encoding", "compress"],
    ],
    [
      "two content encodings in one",
      "POST",
      ["content-length", "5", "content-encoding", "gzip, br"],
    ],
    [
      "two content encodings",
      "POST",
      ["content-length", "5", "content-encoding", "gzip", "content-encoding", "br"],
    ],
  ];
  test.each(cases)("%s", (_name, method, headers) => {
    expect(readFraming(method, headers)).toHaveProperty("fault");
  });
});
