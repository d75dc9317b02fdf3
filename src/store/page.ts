/** The requested part of a list. */
export interface PageQuery {
  /** At least 1. */
  readonly limit: number;
  /** A page's `nextCursor`; null: from the oldest. */
  readonly cursor: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** null: this was the last page. */
  readonly nextCursor: string | null;
}

/** Makes a page from up to `limit + 1` ids. An id whose record is gone is skipped. */
export function pageOf<T>(
  ids: readonly string[],
  limit: number,
  read: (id: string) => T | undefined,
): Page<T> {
  const shown = ids.slice(0, limit);
  return {
    items: shown.flatMap((id) => read(id) ?? []),
    nextCursor: ids.length > limit ? (shown.at(-1) ?? null) : null,
  };
}

/** The bounds of a range of ids: after the cursor, before everything that is not ASCII. */
export const lastId = "\uffff";
