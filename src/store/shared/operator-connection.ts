import { Client } from "pg";
import { operatorQueryMsMax } from "../../contract/limits.ts";
import { connectionConfig } from "./connection-config.ts";
import { pendingMigrations } from "./migrations.ts";
import { Replication } from "./replication.ts";

/**
 * Does the work of an operator's command over a connection of its own, whose statements may take long. Two such commands never
 * work on one database. Throws with a reason that a person can act on.
 */
export async function asOperator<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    ...connectionConfig(url),
    query_timeout: operatorQueryMsMax,
    statement_timeout: operatorQueryMsMax,
    application_name: "weir operator",
  });
  // The query that waits tells of it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await expectReady(client);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    const done = await work();
    await client.query("COMMIT");
    return done;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Locks out gateways that begin at the same moment, until the transaction ends. */
export async function lockOutGateways(client: Client): Promise<void> {
  await client.query("LOCK TABLE weir.gateway, weir.log_key IN ACCESS EXCLUSIVE MODE");
}

async function expectReady(client: Client): Promise<void> {
  if ((await pendingMigrations(client)).length > 0) {
    throw new Error("The database is not up to date with this release: run npm run migrate.");
  }
  if (!(await new Replication(client).isDurable())) {
    throw new Error(
      "The database server may lose what it has committed: set fsync and full_page_writes to on.",
    );
  }
  // Until this connection ends.
  const { rows } = await client.query<{ got: boolean }>(
    "SELECT pg_try_advisory_lock(hashtext('weir operator')) AS got",
  );
  if (rows[0]?.got !== true) {
    throw new Error("Another command works on this database already.");
  }
}
