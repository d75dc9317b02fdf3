import { Client } from "pg";

const given = process.env["WEIR_TEST_POSTGRES_URL"];

/** A server that tests may create databases on. */
export const postgresUrl = given ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** A run that names a server must not skip the tests that need it. */
export const mustHavePostgres = given !== undefined;

export const postgresSkipped =
  "SKIPPED: there is no PostgreSQL on 127.0.0.1:5432, and no WEIR_TEST_POSTGRES_URL.";

export async function isPostgresThere(): Promise<boolean> {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
