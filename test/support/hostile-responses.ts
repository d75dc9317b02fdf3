import type { Random } from "../sim/random.ts";
import type { KeptResponse } from "./read-response.ts";

export interface PlannedResponse {
  readonly method: string;
  /** The bytes in latin1. */
  readonly text: string;
  readonly pieces: readonly Buffer[];
}

const statuses = [
  "200 OK",
  "200",
  "200 ",
  "404 Not Found",
  "204 No Content",
  "304 x",
  "500 \u00e9",
  "999 x",
];
const oddStatuses = [
  "99 x",
  "000 x",
  "2000 OK",
  "20 OK",
  "OK",
  " 200 OK",
  "200\tOK",
  "100 Continue",
  "103 Early",
  "101 Up",
];
const versions = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0"];
const oddVersions = [
  "HTTP/2.0",
  "HTTP/0.9",
  "HTTP/1.2",
  "http/1.1",
  "HTTP/1.10",
  "ICY",
  "HTTP/1",
  "HTTP /1.1",
];
const headers = [
  "content-type: application/json",
  "X-A:b",
  "x-empty:",
  "x-tab:\ta\tb\t",
  "Connection: keep-alive",
  "connection: close",
  "Keep-Alive: timeout=5",
  "x-high: \u00e9\u00ff",
  "set-cookie: a=b",
  "set-cookie: c=d",
];
const oddHeaders = [
  "bad name: x",
  "space : x",
  ": x",
  "nocolon",
  " folded",
  "\tfolded",
  "x-null: a\0b",
  "x-del: a\x7fb",
  "x-bell: \x07",
  "x\u00e9: y",
  "x-cr: a\rb",
  "x-lf: a\nb",
  "connection: upgrade",
  "upgrade: h2c",
  "connection: close, x",
  "keep-alive: timeout=abc",
];
const lengths = [
  "5",
  "0",
  "05",
  "+5",
  "-5",
  "5 ",
  "5,5",
  "5, 5",
  "0x5",
  "",
  "99999999999999999999",
  "4",
  "6",
  "5\t",
];
const codings = [
  "chunked",
  "Chunked",
  "chunked, chunked",
  "gzip, chunked",
  "gzip",
  "identity",
  "chunked;q=1",
  "",
  "chunked, gzip",
  "xchunked",
];
const bodies = ["hello", "", "hell", "hello!", "hello\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"];
const chunkedBodies = [
  "5\r\nhello\r\n0\r\n\r\n",
  "05\r\nhello\r\n0\r\n\r\n",
  "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
  "5;a=b\r\nhello\r\n0;x\r\n\r\n",
  "5\r\nhello\r\n0\r\nx-trailer: y\r\n\r\n",
  "5\r\nhello\r\n000\r\n\r\n",
];
const oddChunkedBodies = [
  "5 \r\nhello\r\n0\r\n\r\n",
  "5\nhello\n0\n\n",
  "5\r\nhellox\r\n0\r\n\r\n",
  "5\r\nhello0\r\n\r\n",
  "\r\nhello\r\n0\r\n\r\n",
  "g\r\nhello\r\n0\r\n\r\n",
  "5\rhello\r\n0\r\n\r\n",
  "0x5\r\nhello\r\n0\r\n\r\n",
  "-5\r\nhello\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nhello\r\n0\r\n\r\n",
  '5;a="\r\n"\r\nhello\r\n0\r\n\r\n',
  "5;a=\0\r\nhello\r\n0\r\n\r\n",
  "5\r\nhello\r\n0\r\nbad trailer\r\n\r\n",
  "5\r\nhello\r\n0\r\n folded: x\r\n\r\n",
  "5\r\nhello\r\n0\r\n\r\nmore",
  "5\r\nhello\r\n0\r\n",
  "5\r\nhello\r\n0\r\n\n",
];

/** A response, mostly nearly valid, in random pieces, after which the provider closes. */
export function randomResponse(random: Random): PlannedResponse {
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T;
  const oddly = (usual: readonly string[], odd: readonly string[]): string =>
    pick(random.chance(0.08) ? odd : usual);
  const br = (): string => (random.chance(0.01) ? pick(["\n", "\r", "\r\r\n", "\n\r"]) : "\r\n");
  let text = "";
  if (random.chance(0.1))
    text += `HTTP/1.1 ${pick(["103 Early", "100 Continue", "102 x", "199 x"])}${br()}x: y${br()}${br()}`;
  text += `${oddly(versions, oddVersions)} ${oddly(statuses, oddStatuses)}${br()}`;
  for (let i = random.integer(0, 4); i > 0; i--) text += oddly(headers, oddHeaders) + br();
  const framing = random.integer(0, 5);
  let body = pick(bodies);
  if (framing <= 1) text += `Content-Length: ${random.chance(0.8) ? "5" : pick(lengths)}${br()}`;
  if (framing === 0 && random.chance(0.1)) text += `content-length: ${pick(lengths)}${br()}`;
  if (framing >= 3 || random.chance(0.05)) {
    text += `Transfer-Encoding: ${random.chance(0.85) ? "chunked" : pick(codings)}${br()}`;
    if (random.chance(0.05)) text += `Transfer-Encoding: ${pick(codings)}${br()}`;
    body = random.chance(0.75) ? pick(chunkedBodies) : pick(oddChunkedBodies);
  }
  if (random.chance(0.1)) text += oddly(headers, oddHeaders) + br();
  text += br() + (framing <= 1 && random.chance(0.7) ? "hello" : body);
  if (random.chance(0.05)) text = mutated(text, random);
  const bytes = Buffer.from(text, "latin1");
  const cuts = Array.from({ length: random.integer(0, 3) }, () => random.integer(0, bytes.length));
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
  const method = random.chance(0.1) ? "HEAD" : "GET";
  return { method, text, pieces: pieces.filter(({ length }) => length > 0) };
}

function mutated(text: string, random: Random): string {
  const at = random.integer(0, text.length - 1);
  switch (random.integer(0, 2)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + String.fromCharCode(random.integer(0, 255)) + text.slice(at);
    default:
      return text.slice(0, at);
  }
}

/**
 * The intended differences between the two clients, with their reasons. `ours` is Weir's client, `theirs` is
 * undici 8.12.4.
 */
const explanations: readonly {
  readonly why: string;
  readonly holds: (ours: KeptResponse, theirs: KeptResponse, text: string) => boolean;
}[] = [
  {
    why: "RFC 9110 section 15.2: an interim response may come unasked; undici takes 100 for an error",
    holds: (ours, theirs, text) =>
      ours.isWhole && theirs.error?.message === "bad response" && /HTTP\/1\.[01] 100 /.test(text),
  },
  {
    why: "an interim response of HTTP/1.0 ends no connection; undici takes it for the last answer",
    holds: (ours, theirs, text) =>
      ours.isWhole &&
      /Data after `Connection: close`/.test(theirs.error?.message ?? "") &&
      /HTTP\/1\.0 1[0-9]{2} /.test(text),
  },
  {
    why: "RFC 9110 section 5.6.3: spaces and tabs around a value are no part of it; undici keeps them in lengths",
    holds: (ours, theirs, text) =>
      ours.isWhole &&
      /does not match content-length/.test(theirs.error?.message ?? "") &&
      /content-length:[^\r\n]*[0-9][ \t]+\r\n/i.test(text),
  },
  {
    why: "HTTP/0.9 and HTTP/2 have no such status line; undici reads it",
    holds: (ours, theirs, text) =>
      theirs.isWhole &&
      isRefused(ours, "the status line is none") &&
      /HTTP\/(?:0\.9|2\.0) /.test(text),
  },
  {
    why: "RFC 9112 section 4: a reason has no control characters; undici does not look",
    holds: (ours, theirs, text) =>
      theirs.isWhole &&
      isRefused(ours, "a forbidden character in the head") &&
      // eslint-disable-next-line no-control-regex -- they are what is looked for
      /HTTP\/1\.[01] [0-9]{3}[^\r\n]*[\0-\x1f\x7f]/.test(text),
  },
  {
    why: "a transfer coding that nobody asked for; undici passes the coded bytes on",
    holds: (ours, theirs, text) =>
      theirs.isWhole &&
      isRefused(ours, "a transfer coding that is not chunked") &&
      (/transfer-encoding:[ \t]*(?!chunked[ \t]*\r)/i.test(text) ||
        /(transfer-encoding:[^]*){2}/i.test(text)),
  },
];

function isRefused({ error }: KeptResponse, message: string): boolean {
  return error?.message === message;
}

/** An unexplained difference between the two results; null if there is none. */
export function differenceOf(
  ours: KeptResponse,
  theirs: KeptResponse,
  text: string,
): string | null {
  if (!ours.isWhole && !theirs.isWhole) return null;
  if (explanations.some(({ holds }) => holds(ours, theirs, text))) return null;
  if (!ours.isWhole) return `refused: ${ours.error?.message ?? ""}`;
  if (!theirs.isWhole) return `accepted where theirs says: ${theirs.error?.message ?? ""}`;
  if (ours.status !== theirs.status) return "the status";
  if (ours.body !== theirs.body) return "the body";
  return sameHeaders(ours.headers, theirs.headers) ? null : "the headers";
}

/** undici keeps a tab after a value. */
function sameHeaders(ours: readonly string[], theirs: readonly string[]): boolean {
  return ours.length === theirs.length && ours.every((text, i) => text === theirs[i]?.trimEnd());
}
