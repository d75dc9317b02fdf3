import { readdirSync } from "node:fs";
import path from "node:path";
import { runner } from "node-pg-migrate";
import type { Client, ClientConfig } from "pg";

/** The SQL files, in the order of their numbers. A file that was released never changes. */
const folder = path.join(import.meta.dirname, "migrations");

/**
 * Brings the schema `weir` of a database up to this release, in one transaction. Returns the names of the migrations that
 * were applied. Another process that migrates the same database is waited for. Throws if the database can't be
 * reached or a migration fails; then nothing has changed.
 */
export async function migrate(
  database: string | ClientConfig,
  log: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  const applied = await runner({
    databaseUrl: database,
    dir: folder,
    ignorePattern: "(?!.*\\.sql$).*",
    direction: "up",
    schema: "weir",
    createSchema: true,
    migrationsTable: "migration",
    singleTransaction: true,
    checkOrder: true,
    advisoryLockMode: "wait",
    log,
  });
  return applied.map(({ name }) => name);
}

/** The names of migrations of this release that the database lacks. Rejects if it can't be asked. */
export async function pendingMigrations(client: Client): Promise<readonly string[]> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => path.parse(file).name);
  const { rows: tables } = await client.query<{ found: string | null }>(
    "SELECT to_regclass('weir.migration') AS found",
  );
  if (tables[0]?.found === null) return names;
  const { rows } = await client.query<{ name: string }>("SELECT name FROM weir.migration");
  const applied = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !applied.has(name));
}
