import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pidOf, until, type Children } from "../children.ts";
import { cpuMs, ProcessTree } from "../process-tree.ts";
import { pathOf, type Behaviour } from "../provider/behaviour.ts";
import { pathOfWire, providerCredential, type Subject } from "./subject.ts";
import { WeirApi } from "./weir-api.ts";
import { launchOf, settingsIn } from "../../launch.ts";

/** One Weir process, with a subject for each of its two modes. */
export interface Weir {
  readonly ownKeys: Subject;
  readonly payThrough: Subject;
  readonly tree: ProcessTree;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface WeirOptions {
  /** The program, built: `dist/main.js`. */
  readonly program: string;
  /** The prefix of its subjects' names if two builds are compared. */
  readonly name: string;
  readonly providerPort: number;
  /** The provider's behaviours for pay-through requests. Each is an account. */
  readonly behaviours: readonly Behaviour[];
  /**
   * The probe to load into its process, which counts there and answers over a message channel;
   * absent: none.
   */
  readonly probe?: { readonly flags: readonly string[]; readonly semiSpaceMb: number };
}

/** More requests than any load sends, so that the limits are checked but never reached. */
const manyRequestsPerMinute = 1_000_000;

/**
 * Starts Weir with everything switched on that its users use: keys, rate limits of organization and
 * key, usage limits of all three kinds, the scan with its default policy, accounting, the durable
 * record, the audit log and readable content, on a data directory of its own.
 */
export async function startWeir(children: Children, options: WeirOptions): Promise<Weir> {
  if (!existsSync(options.program))
    throw new Error(`${options.program} is not built: npm run build`);
  const folder = join(children.folder, `weir-${Math.random().toString(36).slice(2)}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "weir.config.json"), JSON.stringify(configuration(options)));
  const operatorKey = `sk-gw-${"benchoperator".repeat(3)}`;
  const { command, args, env } = launchOf(options.program, {
    ...threadsOf(process.env),
    ...settingsIn(folder),
    GATEWAY_MAX_BODY_SIZE: "100mb",
    GATEWAY_OPERATOR_KEY: operatorKey,
    BENCH_PROVIDER_KEY: providerCredential,
  });
  const child = children.spawn(command, probedArgs(args, options), {
    cwd: folder,
    env,
    stdio: [
      "ignore",
      "ignore",
      "inherit",
      ...(options.probe === undefined ? [] : ["ipc" as const]),
    ],
  });
  const listening = join(folder, "data", "listening.json");
  await until(child, options.program, () => existsSync(listening));
  // Weir wrote this file.
  const addresses = JSON.parse(readFileSync(listening, "utf8")) as {
    readonly gateway: string;
    readonly keys: string;
  };
  const api = new WeirApi(addresses, operatorKey);
  const key = await api.provision(manyRequestsPerMinute);
  const tree = new ProcessTree(pidOf(child));
  const scanThreads = await threadsThatScan(tree, () => api.scanLongText(key));
  const port = Number(new URL(addresses.gateway).port);
  const shared = { tree, scanThreads };
  return {
    tree,
    child,
    stop: () => children.stop(child),
    ownKeys: {
      ...shared,
      name: `${options.name}, own keys`,
      verbatim: true,
      target: (behaviour, wire = "chat") => ({
        port,
        path: pathOfWire[wire],
        headers: {
          Authorization: `Bearer ${providerCredential}`,
          "X-Svc-Api-Key": key,
          "X-Svc-Upstream-Url": `http://127.0.0.1:${options.providerPort}${pathOf(behaviour)}`,
        },
      }),
      model: () => "bench",
    },
    payThrough: {
      ...shared,
      name: `${options.name}, pay-through`,
      verbatim: false,
      target: (_, wire = "chat") => ({
        port,
        path: pathOfWire[wire],
        headers: { Authorization: `Bearer ${key}` },
      }),
      model: (behaviour) => `${accountOf(behaviour)}/bench`,
    },
  };
}

/** These flags prevent the collection of young objects while they are counted. */
function probedArgs(args: readonly string[], { probe }: WeirOptions): readonly string[] {
  if (probe === undefined) return args;
  const semiSpace = [`--min-semi-space-size=${probe.semiSpaceMb}`];
  const room = [...semiSpace, `--max-semi-space-size=${probe.semiSpaceMb}`];
  return [...probe.flags, ...args.slice(0, -1), ...room, ...args.slice(-1)];
}

/** The bench reads the number of threads from the same variables as Weir. */
function threadsOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["GATEWAY_PROXY_THREADS", "GATEWAY_SCAN_WORKERS"];
  return Object.fromEntries(names.flatMap((name) => (name in env ? [[name, env[name]]] : [])));
}

function accountOf(behaviour: Behaviour): string {
  return pathOf(behaviour).slice(1).replaceAll("/", "-");
}

function configuration({ behaviours, providerPort }: WeirOptions): object {
  const price = {
    inputUsdPerMillion: "0.01",
    outputUsdPerMillion: "0.02",
    contextTokensMax: 200_000_000,
    outputTokensMax: 1_000,
  };
  return {
    providers: behaviours.map((behaviour) => ({
      name: accountOf(behaviour),
      type: "openai",
      baseUrl: `http://127.0.0.1:${providerPort}${pathOf(behaviour)}`,
      wires: ["chat", "messages"],
      apiKey: { env: "BENCH_PROVIDER_KEY" },
      models: ["bench"],
    })),
    pricing: {
      models: Object.fromEntries(behaviours.map((each) => [`${accountOf(each)}/bench`, price])),
    },
    network: { allowedInternalHosts: [`127.0.0.1:${providerPort}`] },
    billing: { holdsPerOrganizationMax: 10_000 },
    scan: { requestsPerMinute: 1_000_000 },
  };
}

/**
 * Threads with at least this share of a long scan's CPU, except the serving thread, are scan workers.
 */
const scanShareMin = 0.2;

/** Finds the threads by their work, so that their names and their start do not matter. */
async function threadsThatScan(
  tree: ProcessTree,
  scan: () => Promise<void>,
): Promise<ReadonlySet<number>> {
  const before = tree.threads();
  await scan();
  const after = tree.threads();
  const total = cpuMs(before, after);
  const busy = [...after.keys()].filter((tid) => {
    return cpuMs(before, after, new Set([tid])) >= total * scanShareMin;
  });
  // The first thread of a process has the process's id.
  return new Set(busy.filter((tid) => tid !== Math.min(...after.keys())));
}
