// `npm run migrate`: brings the schema of the database that the configuration names up to this release. Exits with 0 when
// it is, 1 if it is not.
import { loadConfiguration } from "../config/configuration.ts";
import { migrate } from "../store/shared/migrations.ts";

async function main(): Promise<number> {
  const loaded = loadConfiguration(process.env, process.cwd());
  if (!loaded.ok) {
    for (const { path, expected } of loaded.faults) {
      console.error(`weir: ${path}: expected ${expected}`);
    }
    return 1;
  }
  const { store } = loaded.value;
  if (store.type !== "postgres") {
    console.error(
      'weir: store: expected {"type": "postgres", …}; the data directory needs no migration',
    );
    return 1;
  }
  try {
    const applied = await migrate(store.url);
    for (const name of applied) console.log(`applied ${name}`);
    console.log("The database is up to date.");
    return 0;
  } catch (error) {
    console.error(`weir: the database could not be migrated: ${messageOf(error)}`);
    return 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await main();
