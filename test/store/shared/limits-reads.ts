import type { Client } from "pg";
import { expect } from "vitest";
import type { Flush } from "../../../src/store/shared/functions.ts";

export const emptyFlush: Omit<Flush, "seq"> = {
  ...{ configSeq: 0, unholds: [], holds: [], debits: [], returns: [], usage: [], rateReturns: [] },
  ...{ events: null, operations: null },
};

/** Makes the time of limits what the test sets, for all connections to the database. */
export async function setStoreClock(
  client: Client,
  startMs: number,
): Promise<(ms: number) => Promise<void>> {
  await client.query(`CREATE TABLE IF NOT EXISTS weir.test_clock (ms bigint NOT NULL);
    DELETE FROM weir.test_clock; INSERT INTO weir.test_clock VALUES (${startMs});
    CREATE OR REPLACE FUNCTION weir.store_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ms FROM weir.test_clock'`);
  return async (ms) => {
    await client.query("UPDATE weir.test_clock SET ms = $1", [ms]);
  };
}

/** The same text as `LimitsModel.state`. */
export async function limitsOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', id, gateway_id, units, coalesce(frozen_until_ms::text, '')) AS line FROM weir.rate_share
     UNION ALL SELECT concat_ws(' ', id, newest_tick) FROM weir.cap
     UNION ALL SELECT concat_ws(' ', id, 'bucket', tick, amount) FROM weir.cap_bucket
     UNION ALL SELECT concat_ws(' ', id, 'grant', gateway_id, amount) FROM weir.cap_grant`,
  );
  return rows
    .map(({ line }) => line)
    .sort()
    .join("\n");
}

/** Checks what must hold at every moment of limits (I7 of docs/decisions/0060-the-shared-store.md). */
export async function assertLimits(
  client: Client,
  rateLimit: number,
  threshold: bigint,
  crossing: bigint,
): Promise<void> {
  const { rows: rates } = await client.query<{ id: string }>(
    "SELECT id FROM weir.rate_share GROUP BY id HAVING sum(units) > $1",
    [rateLimit],
  );
  expect(rates).toEqual([]);
  const { rows: caps } = await client.query<Record<string, string>>(
    `SELECT c.id, c.used, (SELECT coalesce(sum(amount), 0) FROM weir.cap_bucket b WHERE b.id = c.id) AS counted,
       (SELECT coalesce(sum(amount), 0) FROM weir.cap_grant g WHERE g.id = c.id) AS granted FROM weir.cap c`,
  );
  for (const { id = "", used = "", counted, granted = "" } of caps) {
    expect(used).toBe(counted);
    // It is forgotten now and then, while gateways still have some of it.
    if (id.startsWith("gone")) continue;
    const most = threshold + (id.startsWith("hard") ? 0n : crossing - 1n);
    expect(BigInt(used) + BigInt(granted)).toBeLessThanOrEqual(most);
  }
  const { rows: left } = await client.query(
    `SELECT g.* FROM weir.cap_grant g JOIN weir.gateway w ON w.id = g.gateway_id WHERE w.state <> 'live'
     UNION ALL SELECT s.id, s.gateway_id, s.units FROM weir.rate_share s JOIN weir.gateway w ON w.id = s.gateway_id
     WHERE w.state <> 'live' AND s.frozen_until_ms IS NULL`,
  );
  expect(left).toEqual([]);
}
