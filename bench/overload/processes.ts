import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, Phase, PhaseResult, Reply } from "./phase.ts";
import { launchOf, settingsIn } from "../launch.ts";
import { until } from "../macro/children.ts";

export const operatorKey = `sk-gw-${"b0".repeat(24)}`;

/** Whether the load and the gateway can have a core each. */
export const canPin =
  availableParallelism() > 1 && spawnSync("taskset", ["-V"], { stdio: "ignore" }).status === 0;

/** The generator and the gateway, each on a core of its own if that is possible. */
export class Processes {
  readonly #folder: string;
  readonly #generator: ChildProcess;
  readonly #gateway: ChildProcess;
  readonly #pid: number;
  /** The address of the keys API. */
  readonly keysUrl: string;

  private constructor(
    folder: string,
    generator: ChildProcess,
    gateway: ChildProcess,
    { pid, keysUrl }: Listening,
  ) {
    this.#folder = folder;
    this.#generator = generator;
    this.#gateway = gateway;
    this.#pid = pid;
    this.keysUrl = keysUrl;
  }

  /** `main` is the gateway's entry file. `dataDir`: a store that is there already; absent: a new one. */
  static async start(main: string, dataDir?: string): Promise<Processes> {
    const folder = mkdtempSync(join(tmpdir(), "weir-overload-"));
    const generator = fork(join(import.meta.dirname, "generator.ts"));
    pin(generator, 0);
    const provider = await reply(generator, "provider");
    const data = dataDir ?? join(folder, "data");
    const gateway = startGateway(main, folder, data, provider.origin);
    pin(gateway, 1);
    const at = await listening(data, gateway);
    const key = await provision(at.keysUrl);
    tell(generator, { name: "target", url: at.url, headers: [`authorization: Bearer ${key}`] });
    return new Processes(folder, generator, gateway, at);
  }

  async run(phase: Phase): Promise<PhaseResult> {
    tell(this.#generator, { name: "run", phase });
    return (await reply(this.#generator, "result")).result;
  }

  /** The gateway's own memory in bytes; 0 if the system does not report it. */
  residentBytes(): number {
    const file = `/proc/${this.#pid}/status`;
    if (!existsSync(file)) return 0;
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) * 1024;
  }

  async stop(): Promise<void> {
    this.#generator.disconnect();
    const ended = new Promise((resolve) => this.#gateway.once("exit", resolve));
    this.#gateway.kill("SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Pins all present and future threads of the process. */
function pin({ pid }: ChildProcess, core: number): void {
  if (canPin) spawnSync("taskset", ["-a", "-c", "-p", `${core}`, `${pid}`], { stdio: "ignore" });
}

function startGateway(
  main: string,
  folder: string,
  dataDir: string,
  providerOrigin: string,
): ChildProcess {
  const price = {
    inputUsdPerMillion: "1",
    outputUsdPerMillion: "2",
    contextTokensMax: 100_000,
    outputTokensMax: 1_000,
  };
  writeFileSync(
    join(folder, "weir.config.json"),
    JSON.stringify({
      providers: [
        { name: "p", type: "openai", baseUrl: providerOrigin, wires: ["chat"], models: ["m"] },
      ],
      pricing: { models: { "p/m": price } },
      billing: { holdsPerOrganizationMax: 100_000 },
    }),
  );
  const { command, args, env } = launchOf(main, {
    ...settingsIn(folder),
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_OPERATOR_KEY: operatorKey,
    GATEWAY_LOG_LEVEL: "error",
    // There is one core, so several threads of a kind would only wait for each other.
    GATEWAY_SCAN_WORKERS: "1",
    GATEWAY_PROXY_THREADS: "1",
  });
  return spawn(command, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
}

interface Listening {
  readonly url: string;
  readonly keysUrl: string;
  readonly pid: number;
}

async function listening(dataDir: string, gateway: ChildProcess): Promise<Listening> {
  const file = join(dataDir, "listening.json");
  // A gateway that ran on this store before may have been killed.
  rmSync(file, { force: true });
  await until(gateway, "the gateway", () => existsSync(file));
  const {
    gateway: url,
    keys,
    pid,
  } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly gateway: string;
    readonly keys: string;
    readonly pid: number;
  };
  return { url, keysUrl: keys, pid };
}

/** The secret of a key whose organization can pay for a while. */
async function provision(keysUrl: string): Promise<string> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${keysUrl}/api/v1/gateway/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${operatorKey}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return response.json();
  };
  const name = `load ${Date.now()}`;
  const org = (await post("orgs", { name, plan: "paid" })) as {
    readonly data: { readonly id: string };
  };
  const orgId = org.data.id;
  await post(`orgs/${orgId}/top-ups`, { amountUsd: "10000", idempotencyKey: "load" });
  const made = (await post("api-keys", { name: "load", orgId })) as { readonly key: string };
  return made.key;
}

function tell(generator: ChildProcess, command: Command): void {
  generator.send(command);
}

function reply<Name extends Reply["name"]>(
  generator: ChildProcess,
  name: Name,
): Promise<Extract<Reply, { name: Name }>> {
  return new Promise((resolve, reject) => {
    const exited = (): void => reject(new Error("the generator ended"));
    generator.once("exit", exited);
    generator.once("message", (message: Reply) => {
      generator.off("exit", exited);
      if (message.name === name) resolve(message as Extract<Reply, { name: Name }>);
      else reject(new Error(`the generator said ${message.name}, not ${name}`));
    });
  });
}
