import type { Database } from "lmdb";
import type { ContentRow } from "../../content/content.ts";

export interface ContentTables {
  /** In the order of time, so that one look finds expired content. */
  readonly contents: Database<Uint8Array, [orgId: string, createdAtMs: number, requestId: string]>;
  /** The time of a request's content, by the request's id. */
  readonly places: Database<number, [orgId: string, requestId: string]>;
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
