// `npm run accept-restored -- --data DIRECTORY [--lost FILE]`: goes on with the database that the configuration names after it
// was set back, as by restoring a backup. DIRECTORY is the data directory of a gateway that knows of more; instead of it,
// `--no-data` says that there is none. FILE gets the events that were lost. Exits with 0 when gateways may start, 1 if
// nothing has changed, 2 if the arguments are wrong.
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadConfiguration } from "../config/configuration.ts";
import { acceptRestored, type Lost } from "../store/shared/restored.ts";

const usage = "npm run accept-restored -- (--data DIRECTORY [--lost FILE] | --no-data)";

interface Asked {
  readonly dataDir: string | null;
  readonly file: string | null;
}

function asked(): Asked | null {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: "string" },
        lost: { type: "string" },
        "no-data": { type: "boolean" },
      },
    });
    const { data: dataDir = null, lost: file = null, "no-data": hasNone = false } = values;
    return (dataDir === null) === hasNone && (file === null || !hasNone) ? { dataDir, file } : null;
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
  const { store } = loaded.value;
  if (store.type !== "postgres") {
    console.error('weir: store: expected {"type": "postgres", …}, which names the database');
    return 1;
  }
  const { dataDir, file } = arguments_;
  let isOurs = false;
  try {
    if (file !== null) writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    isOurs = true;
    const { oldName, newName, events, oldVerifierKey, lost } = await acceptRestored({
      ...{ url: store.url, dataDir },
      lost: (line) => {
        if (file !== null) appendFileSync(file, `${line}\n`);
      },
    });
    if (lost !== null) console.log(told(lost).join("\n"));
    console.log(`The log ${oldName} has ended with ${events} events; it goes on as ${newName}.`);
    console.log(`Proofs and bundles from before verify with ${oldVerifierKey}`);
    console.log("Start gateways, each with an empty data directory.");
    return 0;
  } catch (error) {
    if (isOurs && file !== null) rmSync(file);
    console.error(`weir: nothing was changed: ${messageOf(error)}`);
    return 1;
  }
}

/** For the operator, who may have to make some of it good. */
function told(lost: Lost): readonly string[] {
  const types = [...lost.byType].map(([type, count]) => `  ${String(count).padStart(8)}  ${type}`);
  return [
    `Lost: ${lost.events} events, and ${lost.changes} changes of the configuration`,
    ...types.toSorted(),
    `$${lost.debitedUsd} were debited and $${lost.toppedUpUsd} were added in them; balances are without that.`,
    ...(lost.keys.length === 0
      ? []
      : [
          `Old secrets of these keys, which were revoked or rotated, work again: ${lost.keys.join(", ")}`,
        ]),
  ];
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await main();
