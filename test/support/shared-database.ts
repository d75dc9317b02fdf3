import { createHash } from "node:crypto";
import { Client } from "pg";
import { migrate } from "../../src/store/shared/migrations.ts";
import { postgresUrl } from "./postgres.ts";

/*
 * With WEIR_TEST_STORE=postgres the tests over sockets run on a store that gateways share: the same contract, another
 * store. Each data directory has a database of its own.
 */

/** Whether gateways of tests are to share a store. */
export const onSharedStore = process.env["WEIR_TEST_STORE"] === "postgres";

/** The URL of the folder's database, which is made if there is none. */
export async function databaseOf(folder: string): Promise<string> {
  const name = nameOf(folder);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  await onServer(async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
  });
  await migrate(url.href);
  return url.href;
}

export async function dropDatabaseOf(folder: string): Promise<void> {
  await onServer((client) =>
    client.query(`DROP DATABASE IF EXISTS ${nameOf(folder)} WITH (FORCE)`),
  );
}

function nameOf(folder: string): string {
  return `weir_test_${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
}

async function onServer(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
