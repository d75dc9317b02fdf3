// The longest turn of the loop while the gateway does work that may block it: `npm run bench:turns` (three
// to four minutes; Linux only). Each phase prints its longest turn by CPU time of the thread, and by the
// clock. The difference is the time in which the turn waited for another thread or for a processor. `--
// --only batch` runs the phases with this in their names, `--profiles FOLDER` writes profiles there.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { parseArgs } from "node:util";
import { keyUsesWriteMs } from "../../src/contract/limits.ts";
import { fillStore } from "../filled-store.ts";
import { launchOf, settingsIn } from "../launch.ts";
import { Children, until } from "../macro/children.ts";
import { Caller } from "./caller.ts";
import { phases, type Site } from "./phases.ts";
import { probeFlags, takeTurns, type Turn } from "./turns.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    keys: { type: "string", default: "10000" },
    profiles: { type: "string" },
  },
});
const operatorKey = `sk-gw-${"be0c".repeat(12)}`;
const startMsMax = 60_000;

const shown = ({ cpuMs, activeMs }: Turn): string => `${cpuMs.toFixed(1)} (${activeMs.toFixed(1)})`;

async function start(children: Children, upstreamPort: number) {
  const { folder } = children;
  const dataDir = join(folder, "data");
  mkdirSync(folder, { recursive: true });
  const filling = { keys: Number(values.keys), operatorKey, rateLimit: 100_000 };
  const secrets = await fillStore(dataDir, filling);
  writeFileSync(
    join(folder, "weir.config.json"),
    JSON.stringify({
      network: { allowedInternalHosts: [`127.0.0.1:${upstreamPort}`] },
      scan: { requestsPerMinute: 1_000_000 },
    }),
  );
  const program = join(import.meta.dirname, "../../dist/main.js");
  const { command, args, env } = launchOf(program, {
    ...settingsIn(folder),
    GATEWAY_LOG_LEVEL: "error",
    GATEWAY_PROXY_THREADS: "1",
  });
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const options = { cwd: folder, env, stdio: [...stdio] };
  const { profiles } = values;
  const profiling = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
  const child = children.spawn(command, [...probeFlags, ...profiling, ...args], options);
  const listening = join(dataDir, "listening.json");
  await until(child, program, () => existsSync(listening), startMsMax);
  const { gateway, keys } = JSON.parse(readFileSync(listening, "utf8")) as {
    readonly gateway: string;
    readonly keys: string;
  };
  return { child, gateway, keys, secrets };
}

/** A provider that accepts every request. */
const upstream = createServer((incoming, answer) => {
  incoming.resume().on("end", () => {
    answer.setHeader("content-type", "application/json").end('{"choices":[],"usage":null}');
  });
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
// A server that listens on a port has an address with a port.
const { port } = upstream.address() as AddressInfo;
const children = new Children();
const caller = new Caller();
try {
  const { child, gateway, keys, secrets } = await start(children, port);
  const site: Site = {
    caller,
    gateway,
    keysApi: `${keys}/api/v1/gateway`,
    operatorKey,
    secrets,
    upstream: `http://127.0.0.1:${port}`,
    usesWrittenMs: keyUsesWriteMs + 2_000,
  };
  const rows: Record<string, unknown>[] = [];
  for (const { name, run } of phases) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    await passed(1_000);
    await takeTurns(child);
    await run(site);
    const { longestByCpu, longestByActive, turns, over } = await takeTurns(child);
    rows.push({
      "while it": name,
      "longest, ms of CPU (by the clock)": shown(longestByCpu),
      "longest by the clock": shown(longestByActive),
      "turns over 5 ms": `${over} of ${turns}`,
    });
  }
  console.table(rows);
} finally {
  caller.close();
  upstream.close();
  await children.close();
}
