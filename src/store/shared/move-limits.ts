import type { Client } from "pg";
import { usageWindowBuckets } from "../../contract/limits.ts";
import { usageWindows, type UsageWindow } from "../../contract/usage-limit.ts";
import type { LmdbJournalTables } from "../embedded/journal/journal-tables.ts";
import type { Rows } from "../journal/batch.ts";
import { hashOfId, nameOfHash } from "../slots/slot-hash.ts";
import { readHead } from "../windows/stored-windows.ts";
import { UsageLog } from "../windows/usage-log.ts";
import { bucketMs, UsageRing, usageRingBytes } from "../windows/usage-ring.ts";

/** The window of a usage limit or a budget. */
export interface NamedWindow {
  readonly id: string;
  readonly window: UsageWindow;
}

/**
 * Moves what was used in windows; the data directory knows them by hashes of their names alone, so others are left behind.
 * Buckets keep their places in time: an amount counts as long as it would have, or up to a bucket and a second longer.
 * Call it in a transaction. Returns how many windows have an amount.
 */
export async function moveUsage(
  client: Client,
  tables: LmdbJournalTables,
  windows: Iterable<NamedWindow>,
): Promise<number> {
  const usage = foldedUsage(tables);
  const head = readHead(usage);
  if (head?.bytesPerSlot !== usageRingBytes) return 0;
  const wallMs = Date.now();
  const { rows } = await client.query<{ now: string }>("SELECT weir.store_ms() AS now");
  const storeMs = Number(rows[0]?.now);
  const timelineMs = head.timelineMs + Math.max(0, wallMs - head.wallMs);
  let moved = 0;
  for (const { id, window } of windows) {
    const row = usage.get(nameOfHash(hashOfId(head.seed, id)));
    if (row?.length !== usageRingBytes) continue;
    bytes.set(row);
    if (ring.windowAt(cell) !== usageWindows.indexOf(window)) continue;
    const width = bucketMs(window);
    const shift = Math.ceil((storeMs - timelineMs - clocksDifferMs) / width);
    const newest = Math.floor(storeMs / width);
    const buckets = Array.from(ring.buckets(cell), ([tick, amount]) => {
      return { tick: tick + shift, amount };
    }).filter(({ tick }) => tick >= newest - usageWindowBuckets);
    if (buckets.length === 0) continue;
    await insertWindow(client, id, width, newest, buckets);
    moved += 1;
  }
  return moved;
}

/** Clocks that differ by less count as equal. */
const clocksDifferMs = 1_000;

async function insertWindow(
  client: Client,
  id: string,
  width: number,
  newest: number,
  buckets: readonly { readonly tick: number; readonly amount: bigint }[],
): Promise<void> {
  const used = buckets.reduce((sum, { amount }) => sum + amount, 0n);
  const latest = Math.max(newest, ...buckets.map(({ tick }) => tick));
  await client.query({
    text: `WITH one AS (
        INSERT INTO weir.cap (id, bucket_ms, newest_tick, used) VALUES ($1, $2, $3, $4))
      INSERT INTO weir.cap_bucket (id, tick, amount) SELECT $1, b.* FROM unnest($5::bigint[], $6::bigint[]) AS b`,
    values: [
      ...[id, width, latest, String(used)],
      ...[buckets.map(({ tick }) => tick), buckets.map(({ amount }) => String(amount))],
    ],
  });
}

/** The rows of the windows with everything that was counted. The store stays as it is. */
function foldedUsage(tables: LmdbJournalTables): Rows<string, Uint8Array> {
  const usageWindows = new RowsAbove(tables.usageWindows);
  new UsageLog({ usageLog: new RowsAbove(tables.usageLog), usageWindows }).fold();
  return usageWindows;
}

/** Rows in memory that cover those of a table. */
class RowsAbove<K, V> implements Rows<K, V> {
  readonly #below: Pick<Rows<K, V>, "get">;
  readonly #changed = new Map<K, V | undefined>();

  constructor(below: Pick<Rows<K, V>, "get">) {
    this.#below = below;
  }

  get(key: K): V | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#below.get(key);
  }

  putSync(key: K, value: V): void {
    this.#changed.set(key, value);
  }

  removeSync(key: K): void {
    this.#changed.set(key, undefined);
  }
}

/** Holds one row at a time, in the form of a slot in memory. */
const bytes = new Uint8Array(usageRingBytes);
const ring = new UsageRing({
  int64: new BigInt64Array(bytes.buffer),
  float64: new Float64Array(bytes.buffer),
  bytesPerCell: usageRingBytes,
});
const cell = 0;
