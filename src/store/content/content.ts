import { ByteReader, type ByteWriter } from "../../runtime/packed-bytes.ts";

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

/** The packed content of one request. */
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
 * Packs content for who writes it: the key of its row, and then the row's value, which is a line of JSON with the
 * lengths, followed by the bodies.
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
