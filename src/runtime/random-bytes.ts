import { randomFillSync } from "node:crypto";

const pool = Buffer.allocUnsafeSlow(4_096);
let used = pool.length;

/**
 * Random bytes of the system's secure generator, at most 4,096. A call of the generator takes microseconds
 * whatever it is asked for, so one call fills a pool for many. Bytes leave the pool once.
 */
export function pooledRandomBytes(bytes: number): Buffer {
  if (bytes > pool.length) throw new RangeError(`more than ${pool.length} random bytes`);
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const taken = Buffer.from(pool.subarray(used, used + bytes));
  pool.fill(0, used, used + bytes);
  used += bytes;
  return taken;
}
