import type { Database } from "lmdb";

/** A body as it is stored: its beginning, and its full length. */
export interface KeptBody {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** What is readable of one request. */
export interface Content {
  readonly request: KeptBody | null;
  readonly response: KeptBody | null;
  /** Of a submission that is not stored, hex. */
  readonly salt: string | null;
}

export interface ContentTables {
  /** In the order of time, so that one look finds expired content. */
  readonly contents: Database<Uint8Array, [orgId: string, createdAtMs: number, requestId: string]>;
  /** The time of a request's content, by the request's id. */
  readonly places: Database<number, [orgId: string, requestId: string]>;
}

/** Content on its way to the thread: its encoded form is a part of the batch's one buffer. */
export interface ContentRow {
  readonly orgId: string;
  readonly requestId: string;
  readonly createdAtMs: number;
  readonly start: number;
  readonly end: number;
}

interface Header {
  readonly request: readonly [kept: number, length: number] | null;
  readonly response: readonly [kept: number, length: number] | null;
  readonly salt: string | null;
}

/** A line of JSON with the lengths, then the bodies. */
export function encodeContent({ request, response, salt }: Content): Uint8Array {
  const salted = salt === null ? "null" : `"${salt}"`;
  // Nothing in it needs to be escaped: a salt is hexadecimal.
  const line = `{"request":${lengthsOf(request)},"response":${lengthsOf(response)},"salt":${salted}}\n`;
  const requestBytes = request?.bytes ?? noBytes;
  const responseBytes = response?.bytes ?? noBytes;
  const start = line.length;
  const value = Buffer.allocUnsafe(start + requestBytes.length + responseBytes.length);
  value.write(line, 0, "latin1");
  value.set(requestBytes, start);
  value.set(responseBytes, start + requestBytes.length);
  return value;
}

export function decodeContent(value: Uint8Array): Content {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const start = bytes.indexOf(10) + 1;
  const { request, response, salt } = JSON.parse(bytes.toString("utf8", 0, start)) as Header;
  const behind = start + (request?.[0] ?? 0);
  return {
    request: bodyAt(bytes, start, request),
    response: bodyAt(bytes, behind, response),
    salt,
  };
}

const noBytes = new Uint8Array();

/** As `Header` has them. */
function lengthsOf(body: KeptBody | null): string {
  return body === null ? "null" : `[${body.bytes.length},${body.length}]`;
}

function bodyAt(bytes: Buffer, start: number, lengths: Header["request"]): KeptBody | null {
  if (lengths === null) return null;
  const [kept, length] = lengths;
  return { bytes: bytes.subarray(start, start + kept), length };
}

/** To be called inside a transaction, as all below. */
export function putContent(tables: ContentTables, row: ContentRow, value: Uint8Array): void {
  const { orgId, requestId, createdAtMs } = row;
  eraseContent(tables, orgId, requestId);
  tables.contents.putSync([orgId, createdAtMs, requestId], value);
  tables.places.putSync([orgId, requestId], createdAtMs);
}

export function eraseContent(
  { contents, places }: ContentTables,
  orgId: string,
  id: string,
): number {
  const createdAtMs = places.get([orgId, id]);
  if (createdAtMs === undefined) return 0;
  contents.removeSync([orgId, createdAtMs, id]);
  places.removeSync([orgId, id]);
  return 1;
}

/** Removes at most `rowsMax` rows older than `beforeMs`; returns their number. */
export function eraseBefore(
  { contents, places }: ContentTables,
  orgId: string,
  beforeMs: number,
  rowsMax: number,
): number {
  const range = { start: [orgId, 0, ""], end: [orgId, beforeMs, ""], limit: rowsMax } as const;
  const keys = Array.from(contents.getKeys(keyRange(range)));
  for (const key of keys) {
    contents.removeSync(key);
    places.removeSync([orgId, key[2]]);
  }
  return keys.length;
}

/** The first organization after `orgId` that has content; null: the first of all. */
export function organizationBehind(
  { contents }: ContentTables,
  orgId: string | null,
): string | undefined {
  const start: ContentKey = orgId === null ? ["", 0, ""] : [orgId, Number.MAX_VALUE, ""];
  const [key] = contents.getKeys({ start, limit: 1 });
  return key?.[0];
}

/** The time of the newest content of an organization; undefined: it has none. */
export function newestMs({ contents }: ContentTables, orgId: string): number | undefined {
  const start: ContentKey = [orgId, Number.MAX_VALUE, ""];
  const end: ContentKey = [orgId, 0, ""];
  const [newest] = contents.getKeys({ start, end, reverse: true, limit: 1 });
  return newest?.[1];
}

type ContentKey = [orgId: string, createdAtMs: number, requestId: string];

function keyRange(range: {
  readonly start: readonly [string, number, string];
  readonly end: readonly [string, number, string];
  readonly limit: number;
}): { start: ContentKey; end: ContentKey; limit: number } {
  return { start: [...range.start], end: [...range.end], limit: range.limit };
}
