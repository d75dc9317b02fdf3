import type { Database } from "lmdb";
import { ByteReader, type ByteWriter } from "../../../runtime/packed-bytes.ts";

/** A body as it is stored: its beginning, and its full length. */
export interface KeptBody {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** The readable content of one request. */
export interface Content {
  readonly request: KeptBody | null;
  readonly response: KeptBody | null;
  /** The salt of a submission that is not stored, in hex. */
  readonly salt: string | null;
}

export interface ContentTables {
  /** In the order of time, so that one look finds expired content. */
  readonly contents: Database<Uint8Array, [orgId: string, createdAtMs: number, requestId: string]>;
  /** The time of a request's content, by the request's id. */
  readonly places: Database<number, [orgId: string, requestId: string]>;
}

/** The content in a row. */
export interface ContentRow {
  readonly orgId: string;
  readonly requestId: string;
  readonly createdAtMs: number;
  readonly value: Buffer;
}

interface Header {
  readonly request: readonly [kept: number, length: number] | null;
  readonly response: readonly [kept: number, length: number] | null;
  readonly salt: string | null;
}

/**
 * Packs content for the thread that writes it: the key of its row, and then the row's value, which is a
 * line of JSON with the lengths, followed by the bodies.
 */
export function packContent(
  to: ByteWriter,
  orgId: string,
  requestId: string,
  createdAtMs: number,
  { request, response, salt }: Content,
): void {
  to.number(createdAtMs);
  to.text(orgId);
  to.text(requestId);
  const salted = salt === null ? "null" : `"${salt}"`;
  // Nothing in it needs to be escaped: a salt is hexadecimal.
  to.latin1(
    `{"request":${lengthsOf(request)},"response":${lengthsOf(response)},"salt":${salted}}\n`,
  );
  if (request !== null) to.raw(request.bytes);
  if (response !== null) to.raw(response.bytes);
}

/** Unpacks the result of `packContent`. The row's value is a part of the given bytes. */
export function unpackContent(packed: Buffer): ContentRow {
  const from = new ByteReader(packed);
  const createdAtMs = from.number();
  const [orgId, requestId] = [from.text(), from.text()];
  if (createdAtMs === null || orgId === null || requestId === null) {
    throw new Error("packed content is out of step");
  }
  return { orgId, requestId, createdAtMs, value: from.rest() };
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

/** The lengths, in the form of `Header`. */
function lengthsOf(body: KeptBody | null): string {
  return body === null ? "null" : `[${body.bytes.length},${body.length}]`;
}

function bodyAt(bytes: Buffer, start: number, lengths: Header["request"]): KeptBody | null {
  if (lengths === null) return null;
  const [kept, length] = lengths;
  return { bytes: bytes.subarray(start, start + kept), length };
}

/** To be called inside a transaction, as all below. */
export function putContent(tables: ContentTables, row: ContentRow): void {
  const { orgId, requestId, createdAtMs, value } = row;
  eraseContent(tables, orgId, requestId);
  // lmdb takes no bytes in shared memory.
  tables.contents.putSync([orgId, createdAtMs, requestId], Buffer.from(value));
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
