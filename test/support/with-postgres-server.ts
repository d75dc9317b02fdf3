import { describe } from "vitest";
import { canStartPostgres } from "./postgres-server.ts";

if (!canStartPostgres) {
  // Where a run must not skip the tests of the shared store, it must not skip these.
  if (process.env["WEIR_TEST_POSTGRES_URL"] !== undefined) {
    throw new Error("there is no initdb of PostgreSQL on this machine");
  }
  console.warn("SKIPPED: there is no initdb of PostgreSQL on this machine.");
}

/** Tests that start a PostgreSQL of their own. */
export const describeWithServer = describe.skipIf(!canStartPostgres);
