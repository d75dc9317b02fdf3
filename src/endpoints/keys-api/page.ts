import { refuseParameter } from "../../contract/errors.ts";
import { keysPageDefault, keysPageMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { PageQuery } from "../../store/page.ts";

/**
 * Reads `limit` and `cursor` of a list. `cursorPattern` matches the list's own cursors; null: the list reads its
 * cursor itself. Errors: `invalid_request`.
 */
export function readPage(query: URLSearchParams, cursorPattern: RegExp | null): Outcome<PageQuery> {
  const limit = query.get("limit");
  const count = limit === null ? keysPageDefault : /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > keysPageMax) {
    return refuseParameter("limit", `limit must be a whole number from 1 to ${keysPageMax}.`);
  }
  const cursor = query.get("cursor");
  if (cursor !== null && cursorPattern !== null && !cursorPattern.test(cursor)) {
    return refuseParameter("cursor", "cursor must be the nextCursor of the previous page.");
  }
  return accept({ limit: count, cursor });
}
