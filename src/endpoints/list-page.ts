import { listPageBytesMin, listRowCost, listRowsPerStep } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { Page, PageQuery } from "../store/page.ts";
import type { Answer } from "../exchange/exchange.ts";
import { jsonAnswer } from "../exchange/refusal.ts";
import { listShare, type TurnShare, type TurnStep } from "../runtime/turn-share.ts";

/** A part of a page, as a list reads it. */
export interface PagePart<T> extends Page<T> {
  /** The cost besides its rows, in the units of `listShare`; 0 if absent. */
  readonly cost?: number;
  /** If true, the page ends after this part, although it has fewer rows than were asked for. */
  readonly endsPage?: boolean;
}

export interface ListOptions {
  readonly rowsPerStep?: number;
  readonly share?: TurnShare;
}

type ReadPart<T> = (query: PageQuery) => Outcome<PagePart<T>> | Promise<Outcome<PagePart<T>>>;

/**
 * Answers with a page of a list. The page is read and written as JSON a few rows at a time, because a page of
 * a thousand rows takes ten milliseconds, and one of large rows more. Once it reaches `listPageBytesMin`, the
 * page ends with fewer rows than were asked for, and `nextCursor` continues it. Rows may change between two
 * parts: each row describes one moment, the page does not. Errors: those of `read`.
 */
export async function listAnswer<T>(
  { limit, cursor }: PageQuery,
  read: ReadPart<T>,
  { rowsPerStep = listRowsPerStep, share = listShare }: ListOptions = {},
): Promise<Outcome<Answer>> {
  const rows: string[] = [];
  let bytes = 0;
  let next = cursor;
  for (;;) {
    const query = { limit: Math.min(rowsPerStep, limit - rows.length), cursor: next };
    const part = await share.run(async () => written(await read(query)));
    if (!part.ok) return part;
    const { value } = part;
    rows.push(...value.rows);
    bytes += value.bytes;
    next = value.nextCursor;
    const isFull = rows.length >= limit || bytes >= listPageBytesMin;
    if (next === null || isFull || value.endsPage) break;
  }
  const body = `{"data":[${rows.join(",")}],"nextCursor":${JSON.stringify(next)}}`;
  return accept(jsonAnswer(body));
}

interface WrittenPart {
  readonly rows: readonly string[];
  readonly bytes: number;
  readonly nextCursor: string | null;
  readonly endsPage: boolean;
}

function written<T>(part: Outcome<PagePart<T>>): TurnStep<Outcome<WrittenPart>> {
  if (!part.ok) return { value: part, cost: listRowCost };
  const { items, nextCursor, cost = 0, endsPage = false } = part.value;
  const rows = items.map((item) => JSON.stringify(item));
  // Characters approximate bytes: few take more than one.
  const bytes = rows.reduce((sum, row) => sum + row.length + 1, 0);
  const value: Outcome<WrittenPart> = accept({ rows, bytes, nextCursor, endsPage });
  return { value, cost: bytes + (rows.length + 1) * listRowCost + cost };
}
