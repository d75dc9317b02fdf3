import { describe, expect, test } from "vitest";
import { upstreamHeadBytesMax } from "../../../src/contract/limits.ts";
import type { ResponseHead } from "../../../src/proxy/upstream/response-head.ts";
import { ResponseParser } from "../../../src/proxy/upstream/response-parser.ts";

/** What a parser tells of a response. */
class Told {
  heads: ResponseHead[] = [];
  body = "";
  ends = 0;
  isOver = false;

  head(head: ResponseHead): void {
    this.heads.push(head);
  }
  data(bytes: Buffer): void {
    expect(bytes.length).toBeGreaterThan(0);
    this.body += bytes.toString("latin1");
  }
  end(): void {
    this.ends += 1;
  }
}

/** Reads the text in the given pieces; the provider then closes. The error's message, or what was told. */
function read(pieces: readonly string[], method = "GET"): Told | string {
  const parser = new ResponseParser();
  const told = new Told();
  parser.begin(method, told);
  try {
    for (const piece of pieces) parser.push(Buffer.from(piece, "latin1"));
  } catch (error) {
    return (error as Error).message;
  }
  if (told.ends === 0 && !parser.closed()) return "incomplete";
  return told;
}

function everySplit(text: string): string[][] {
  const pairs = Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)]);
  return [...pairs.slice(1), Array.from(text), [text]];
}

const ok = "HTTP/1.1 200 OK\r\n";

const whole: [name: string, text: string, status: number, body: string, method: string][] = [
  ["a length", `${ok}Content-Length: 5\r\n\r\nhello`, 200, "hello", "GET"],
  ["no length: the connection's end", `${ok}\r\nhello`, 200, "hello", "GET"],
  ["an empty body", `${ok}content-length: 0\r\n\r\n`, 200, "", "GET"],
  ["no reason", "HTTP/1.1 404\r\ncontent-length: 2\r\n\r\nno", 404, "no", "GET"],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", 200, "hello", "GET"],
  ["chunks", `${ok}transfer-encoding: Chunked\r\n\r\n3\r\nhel\r\n02\r\nlo\r\n0\r\n\r\n`, 200, "hello", "GET"],
  ["an extension", `${ok}transfer-encoding: chunked\r\n\r\n5;a="b c"\r\nhello\r\n0;x\r\n\r\n`, 200, "hello", "GET"],
  ["a trailer", `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-a: b\r\nx-c: d\r\n\r\n`, 200, "hello", "GET"],
  ["interim responses", `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nx: y\r\n\r\n${ok}content-length: 1\r\n\r\nx`, 200, "x", "GET"],
  ["an answer to HEAD", `${ok}content-length: 500\r\n\r\n`, 200, "", "HEAD"],
  ["204 with a length", "HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\n", 204, "", "GET"],
  ["304 with chunks", "HTTP/1.1 304 No\r\ntransfer-encoding: chunked\r\n\r\n", 304, "", "GET"],
]; // prettier-ignore

describe("a whole response, split at every byte", () => {
  test.each(whole)("%s", (_, text, status, body, method) => {
    for (const pieces of everySplit(text)) {
      expect(read(pieces, method), pieces.join("|")).toMatchObject({
        heads: [{ status }],
        body,
        ends: 1,
      });
    }
  });
});

const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const hostile: readonly (readonly [name: string, text: string, message: string | RegExp])[] = [
  ["another protocol", "SSH-2.0-OpenSSH_9\r\n", "the response is not HTTP/1"],
  ["HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", /not HTTP\/1|status line/],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", "the status line is none"],
  ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", "the status line is none"],
  ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n", "the status line is none"],
  ["101", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n", "another protocol was not asked for"],
  ["lines that end in LF", "HTTP/1.1 200 OK\ncontent-length: 0\n\n", /without CR|forbidden/],
  ["a line that ends in LF", `${ok}x: y\ncontent-length: 0\r\n\r\n`, /without CR|forbidden/],
  ["a CR within a line", `${ok}x: a\rb\r\n\r\n`, "a forbidden character in the head"],
  ["a NUL", `${ok}x: a\0b\r\n\r\n`, "a forbidden character in the head"],
  ["a folded header", `${ok}x: a\r\n b\r\n\r\n`, "a header without a name"],
  ["a space before the colon", `${ok}content-length : 5\r\n\r\nhello`, "a header without a name"],
  ["no colon", `${ok}content-length\r\n\r\n`, "a header without a name"],
  ["no name", `${ok}: 5\r\n\r\n`, "a header without a name"],
  ["two lengths", `${ok}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`, "two lengths"],
  ["a list of lengths", `${ok}content-length: 5, 5\r\n\r\nhello`, "a length that is none"],
  ["a length with a sign", `${ok}content-length: +5\r\n\r\nhello`, "a length that is none"],
  ["an empty length", `${ok}content-length:\r\n\r\nhello`, "a length that is none"],
  ["a length without end", `${ok}content-length: 9007199254740993\r\n\r\n`, "a length that is none"],
  ["a length beside chunks", `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`, "a length beside chunks"],
  ["another coding", `${ok}transfer-encoding: gzip, chunked\r\n\r\n`, "a transfer coding that is not chunked"],
  ["chunked twice", `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`, "a transfer coding that is not chunked"],
  ["no size", `${chunked}\r\nhello\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["a size with a sign", `${chunked}-5\r\nhello\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["a size with 0x", `${chunked}0x5\r\nhello\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["a size with a space", `${chunked}5 \r\nhello\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["a size without end", `${chunked}${"f".repeat(14)}\r\n`, "the chunks of the body are malformed"],
  ["a size line that ends in LF", `${chunked}5\nhello\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["an extension with a CR", `${chunked}5;a\rb\r\nhello\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["an extension without end", `${chunked}5;${"a".repeat(5_000)}\r\n`, "the chunks of the body are malformed"],
  ["more bytes than the chunk has", `${chunked}5\r\nhello!\r\n0\r\n\r\n`, "the chunks of the body are malformed"],
  ["a trailer without a colon", `${chunked}0\r\nhello\r\n\r\n`, "a header without a name"],
  ["a trailer that ends in LF", `${chunked}0\r\nx: y\n\n`, "the chunks of the body are malformed"],
  ["a trailer without end", `${chunked}0\r\nx: ${"y".repeat(upstreamHeadBytesMax)}\r\n`, "the chunks of the body are malformed"],
  ["bytes behind the end", `${ok}content-length: 5\r\n\r\nhello!`, "bytes behind the end of a response"],
  ["another response behind the end", `${ok}content-length: 0\r\n\r\n${ok}content-length: 0\r\n\r\n`, "bytes behind the end of a response"],
  ["bytes behind the last chunk", `${chunked}0\r\n\r\nx`, "bytes behind the end of a response"],
  ["too many interim responses", "HTTP/1.1 103 Early\r\n\r\n".repeat(17), "too many interim heads"],
  ["too many headers", `${ok}${"x: y\r\n".repeat(1_001)}\r\n`, "too many headers"],
  ["a head without end", `${ok}x: ${"y".repeat(upstreamHeadBytesMax)}`, "the head is too large"],
  ["a head that is too long", `${ok}x: ${"y".repeat(upstreamHeadBytesMax)}\r\n\r\n`, "the head is too large"],
  ["a head that is cut", `${ok}content-length: 5\r\n`, "incomplete"],
  ["a body that is cut", `${ok}content-length: 5\r\n\r\nhell`, "incomplete"],
  ["chunks that are cut", `${chunked}5\r\nhello\r\n0\r\n`, "incomplete"],
  ["an answer to HEAD with a body", `${ok}content-length: 5\r\n\r\nhello`, /hello|bytes behind/],
  ["nothing", "", "incomplete"],
]; // prettier-ignore

describe("a response that is wrong, split at every byte", () => {
  test.each(hostile)("%s", (name, text, message) => {
    const method = name.includes("HEAD") ? "HEAD" : "GET";
    const splits = text.length > 500 ? [Array.from(text), [text]] : everySplit(text);
    for (const pieces of splits) {
      const got = read(pieces, method);
      expect(got, JSON.stringify(pieces.slice(0, 3))).toEqual(
        typeof message === "string" ? message : expect.stringMatching(message),
      );
    }
  });
});

test("a head of 100 MB is given up after 64 KiB, and nothing more is kept", () => {
  const parser = new ResponseParser();
  parser.begin("GET", new Told());
  const piece = Buffer.alloc(64 * 1024, "x");
  parser.push(Buffer.from(`${ok}x: `));
  expect(() => {
    for (let i = 0; i < 1_600; i++) parser.push(piece);
  }).toThrow("the head is too large");
});

test("headers keep their order and bytes, in lower-case names without outer spaces", () => {
  const text = `${ok}Set-Cookie: a\r\nX-High:\t \u00e9 \u00ff\t\r\nset-cookie:b\r\nX-Empty:\r\n\r\n`;
  const told = read([text]);
  expect(told).toMatchObject({
    heads: [
      { headers: ["set-cookie", "a", "x-high", "\u00e9 \u00ff", "set-cookie", "b", "x-empty", ""] },
    ],
  });
});

test.each([
  ["HTTP/1.1 200 OK\r\n", true],
  ["HTTP/1.0 200 OK\r\n", false],
  ["HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n", true],
  ["HTTP/1.1 200 OK\r\nconnection: close\r\n", false],
  ["HTTP/1.1 200 OK\r\nconnection: keep-alive, Close\r\n", false],
  ["HTTP/1.1 200 OK\r\nconnection: close\r\nconnection: keep-alive\r\n", false],
  ["HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n", false],
])("%j keeps its connection: %s", (head, isKept) => {
  const text = `${head}${head.includes("chunked") ? "" : "content-length: 0\r\n"}\r\n`;
  const parser = new ResponseParser();
  const told = new Told();
  parser.begin("GET", told);
  parser.push(Buffer.from(text));
  expect(told.heads).toMatchObject([{ isKept }]);
});

test("one that wants no more is told nothing more", () => {
  const parser = new ResponseParser();
  const told = new Told();
  told.head = () => (told.isOver = true);
  parser.begin("GET", told);
  parser.push(Buffer.from(`${ok}content-length: 5\r\n\r\nhello`));
  expect(told).toMatchObject({ body: "", ends: 0 });
});
