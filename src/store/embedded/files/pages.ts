import type { Database, Key } from "lmdb";

export interface Row<K, V> {
  readonly key: K;
  readonly value: V;
}

/**
 * All rows of a table from the key `from` on, in order, `rowsMax` at once: lmdb keeps what was read for the rest of a turn only, and a table may
 * be larger than the memory.
 */
export function* pagesOf<V, K extends Key>(
  table: Database<V, K>,
  rowsMax: number,
  from?: K,
): Generator<readonly Row<K, V>[]> {
  const start = from === undefined ? {} : { start: from };
  let page = Array.from(table.getRange({ ...start, limit: rowsMax }));
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    page = Array.from(table.getRange({ start: last.key, exclusiveStart: true, limit: rowsMax }));
  }
}

/** The number of a table's rows, without a look at them. */
export function countOf<V, K extends Key>(table: Database<V, K>): number {
  // lmdb's types leave it open what is in it.
  return Number((table.getStats() as { readonly entryCount?: number }).entryCount);
}
