import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchOf } from "../launch.ts";
import { pidOf, until, type Children } from "../macro/children.ts";

export interface BenchGateway {
  readonly origin: string;
  /** Of the org "demo"; empty if another gateway has made the keys. */
  readonly secret: string;
  readonly pid: number;
}

const startMsMax = 120_000;

/** Starts a gateway with the built-in demo provider. `databaseUrl`: of the shared store; null: it has its own. */
export async function startGateway(
  children: Children,
  name: string,
  databaseUrl: string | null,
): Promise<BenchGateway> {
  const folder = join(children.folder, name);
  const dataDir = join(folder, "data");
  mkdirSync(folder);
  const store = { type: "postgres", url: { env: "WEIR_BENCH_DATABASE" } };
  const file = databaseUrl === null ? {} : { store };
  writeFileSync(join(folder, "weir.config.json"), JSON.stringify(file));
  const program = join(import.meta.dirname, "../../dist/main.js");
  const { command, args, env } = launchOf(program, {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_PORT: "0",
    GATEWAY_KEYS_PORT: "0",
    GATEWAY_LOG_LEVEL: "error",
    GATEWAY_SCAN_WORKERS: "1",
    WEIR_BENCH_DATABASE: databaseUrl ?? "",
  });
  const child = children.spawn(command, args, {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (text: Buffer) => (output += text.toString()));
  const listening = join(dataDir, "listening.json");
  const isReady = (): boolean => existsSync(listening) && output.includes("listens");
  await until(child, program, isReady, startMsMax);
  const { gateway } = JSON.parse(readFileSync(listening, "utf8")) as { readonly gateway: string };
  const secret = /key of the org "demo" +(\S+)/.exec(output)?.[1] ?? "";
  return { origin: gateway, secret, pid: pidOf(child) };
}
