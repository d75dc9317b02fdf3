import type { Client } from "pg";
import { contentFlushBytes } from "../../contract/limits.ts";
import type { ContentTables } from "../embedded/content/content-rows.ts";
import { pagesOf } from "../embedded/files/pages.ts";
import type { LmdbJournalTables } from "../embedded/journal/journal-tables.ts";
import { bytesAfter, insertWithBytes, type MoveProgress, type RowWithBytes } from "./move-log.ts";

/**
 * Moves readable content, and the erasures that have begun: a gateway carries them out, and records their events. Content
 * keeps its age. Call it in a transaction. Returns how much content there was.
 */
export async function moveContent(
  client: Client,
  tables: LmdbJournalTables,
  content: ContentTables | null,
  progress: MoveProgress,
): Promise<number> {
  const erasures = await moveErasures(client, tables);
  if (content === null) return 0;
  const nowMs = Date.now();
  let [moved, bytes, rows]: [number, number, RowWithBytes[]] = [0, 0, []];
  const insert = async (): Promise<void> => {
    await insertWithBytes(client, insertContent, rows);
    [bytes, rows] = [0, []];
  };
  for (const page of pagesOf(content.contents, rowsAtOnce)) {
    for (const { key, value } of page) {
      const [orgId, createdAtMs, requestId] = key;
      const ageMs = nowMs - createdAtMs;
      const columns = [orgId, requestId, ageMs, erasures.numberFor(orgId, createdAtMs)];
      rows.push({ columns, bytes: Buffer.from(value) });
      bytes += value.length;
    }
    moved += page.length;
    if (bytes >= contentFlushBytes) await insert();
    progress(moved);
  }
  if (rows.length > 0) await insert();
  return moved;
}

const rowsAtOnce = 16;

const insertContent = `INSERT INTO weir.content (org_id, request_id, created_at, erasure, value)
  SELECT r ->> 0, r ->> 1, weir.content_now() - (r ->> 2)::double precision * interval '1 millisecond',
    (r ->> 3)::bigint, ${bytesAfter(4)} FROM rows`;

/** The numbers of erasures that have not ended. */
interface NumberedErasures {
  /** The newest erasure before which content of this time was kept, though not its own organization's. */
  numberFor(orgId: string, createdAtMs: number): number;
}

/**
 * An erasure takes the content that has a lower number. So those of whole organizations are numbered by the time before which
 * they erase, and those of single requests, which erase at any time, come behind.
 */
async function moveErasures(
  client: Client,
  { erasures }: LmdbJournalTables,
): Promise<NumberedErasures> {
  const left = Array.from(erasures.getRange()).sort(
    ({ value: one }, { value: other }) =>
      Number(one.requestId !== null) - Number(other.requestId !== null) ||
      one.beforeMs - other.beforeMs,
  );
  for (const [i, { key, value }] of left.entries()) {
    const { orgId, requestId, index, byKeyId } = value;
    await client.query({
      text: `INSERT INTO weir.content_erasure (number, id, org_id, request_id, index, by_key_id, begun_at)
        VALUES ($1, $2, $3, $4, $5, $6, weir.content_now())`,
      values: [i + 1, key, orgId, requestId, index, byKeyId],
    });
  }
  await client.query({ text: "UPDATE weir.content_head SET erasure = $1", values: [left.length] });
  return {
    numberFor: (orgId, createdAtMs) =>
      1 +
      left.findLastIndex(({ value }) => {
        const { requestId, beforeMs } = value;
        return value.orgId === orgId && requestId === null && beforeMs <= createdAtMs;
      }),
  };
}
