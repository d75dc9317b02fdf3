// `npm run backup -- TARGET [--data DIRECTORY]`: copies the data directory of a gateway, which may be
// running, into the new directory TARGET. The default of DIRECTORY is `GATEWAY_DATA_DIR` or `./data`.
// Exits with 0 when the copy is durable, 1 if there is no copy, 2 if the arguments are wrong.
import { parseArgs } from "node:util";
import { variable } from "../config/environment.ts";
import { backUp } from "../store/embedded/files/backup.ts";

const usage = "npm run backup -- TARGET [--data DIRECTORY]";

function asked(): { readonly target: string; readonly dataDir: string } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { data: { type: "string" } },
    });
    const [target, ...more] = positionals;
    if (target === undefined || target === "" || more.length > 0) return null;
    const dataDir = values.data ?? variable(process.env, "GATEWAY_DATA_DIR") ?? "data";
    return { target, dataDir };
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
  const { target, dataDir } = arguments_;
  const backedUp = await backUp(dataDir, target);
  if (!backedUp.ok) {
    console.error(backedUp.fault);
    return 1;
  }
  const width = Math.max(...backedUp.value.map(({ name }) => name.length));
  for (const { name, bytes } of backedUp.value) {
    console.log(`${name.padEnd(width)}  ${String(bytes).padStart(15)} bytes`);
  }
  console.log(`Copied ${dataDir} to ${target}.`);
  return 0;
}

process.exitCode = await main();
