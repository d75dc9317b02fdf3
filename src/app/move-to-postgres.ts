// `npm run move-to-postgres [-- --data DIRECTORY]`: moves the data directory of a gateway that does not run into the empty
// database that the configuration names. The default of DIRECTORY is `GATEWAY_DATA_DIR` or `./data`. Exits with 0 when
// everything is in the database, 1 if nothing is, 2 if the arguments are wrong.
import { parseArgs } from "node:util";
import { loadConfiguration } from "../config/configuration.ts";
import { timeWindows, usageLimitTypes, usageWindows } from "../contract/usage-limit.ts";
import { windowOfBudget, windowOfLimit } from "../pipeline/limits/usage-caps.ts";
import type { Tables } from "../store/embedded/tables.ts";
import { moveToPostgres } from "../store/shared/move.ts";
import type { NamedWindow } from "../store/shared/move-limits.ts";

const usage = "npm run move-to-postgres [-- --data DIRECTORY]";

/** The windows of all usage limits, and of all budgets that an organization or a team of its keys may have. */
export function* windowsOf({ usageLimits, organizations, keys }: Tables): Generator<NamedWindow> {
  for (const id of usageLimits.getKeys()) yield* windowsOfLimit(id);
  for (const orgId of organizations.getKeys()) yield* windowsOfBudget(orgId, null);
  const teams = new Set<string>();
  for (const { value } of keys.getRange()) {
    const { orgId, team } = value.key;
    // An organization's id contains no space.
    const place = `${orgId} ${team?.name}`;
    if (orgId === null || team === null || teams.has(place)) continue;
    teams.add(place);
    yield* windowsOfBudget(orgId, team.name);
  }
}

/** A limit that was changed may have used others than now. */
function windowsOfLimit(id: string): readonly NamedWindow[] {
  return usageLimitTypes.flatMap((limitType) =>
    timeWindows.map((timeWindow) => windowOfLimit({ id, limitType, timeWindow })),
  );
}

function windowsOfBudget(orgId: string, team: string | null): readonly NamedWindow[] {
  return usageWindows.map((window) => windowOfBudget(orgId, team, { window }));
}

function asked(): { readonly data: string | undefined } | null {
  try {
    const { values } = parseArgs({ options: { data: { type: "string" } } });
    return { data: values.data };
  } catch {
    return null;
  }
}

async function main(): Promise<number> {
  const arguments_ = asked();
  if (arguments_ === null) {
    console.error(usage);
    return 2;
  }
  const loaded = loadConfiguration(process.env, process.cwd());
  if (!loaded.ok) {
    for (const { path, expected } of loaded.faults) {
      console.error(`weir: ${path}: expected ${expected}`);
    }
    return 1;
  }
  const { store, gateway } = loaded.value;
  if (store.type !== "postgres") {
    console.error('weir: store: expected {"type": "postgres", …}, which names the database');
    return 1;
  }
  const dataDir = arguments_.data ?? gateway.dataDir;
  const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
  try {
    const { isNew, logName, compared } = await moveToPostgres({
      ...{ url: store.url, dataDir, windowsOf, log },
    });
    const width = Math.max(...compared.map(([what]) => what.length));
    for (const [what, value] of compared) console.log(`${what.padEnd(width)}  ${value}`);
    console.log(
      isNew
        ? `Moved ${dataDir} with the log ${logName}. All of this is the same in the database.`
        : `${dataDir} with the log ${logName} was moved before; the database has all of its events.`,
    );
    console.log("Start gateways on the database, each with an empty data directory.");
    return 0;
  } catch (error) {
    console.error(`weir: ${dataDir} was not moved: ${messageOf(error)}`);
    return 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

if (import.meta.main) process.exitCode = await main();
