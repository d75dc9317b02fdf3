import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { loadConfiguration } from "../../src/config/configuration.ts";
import { wires } from "../../src/contract/wire.ts";
import { start, type RunningGateway } from "../../src/main.ts";
import { priced } from "./priced.ts";
import { databaseOf, dropDatabaseOf, onSharedStore } from "./shared-database.ts";

export interface GatewayOptions {
  /**
   * The content of the JSON configuration file. Models without a price get `testPrice`. Without a
   * configuration, the built-in demo provider serves.
   */
  readonly config?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** Of a process of its own: another program than the built one. */
  readonly program?: string;
  /** What starts a process of its own: a command that becomes the one that follows it. */
  readonly launcher?: readonly string[];
  /** Whether a process of its own measures its turns, for `takeTurns`. */
  readonly probed?: boolean;
  /** How long a process of its own may take to start; absent: 20 s. */
  readonly startMsMax?: number;
}

export interface TestGateway {
  readonly url: string;
  readonly keysUrl: string;
  /** The secret of the organization `demo`'s key. */
  readonly key: string;
  readonly operatorKey: string;
  /** The URL of its database, where the tests' store is shared. */
  readonly database: string | null;
  /** Every line that the gateway has logged. */
  readonly log: readonly LogLine[];
  /** Stops the gateway and starts another one with its data; `meanwhile` is called in between. */
  restart(meanwhile?: () => void): Promise<TestGateway>;
  stop(): Promise<void>;
}

export type LogLine = Readonly<Record<string, unknown>>;

type Secrets = Pick<TestGateway, "key" | "operatorKey">;

/**
 * A gateway in this process: real sockets, real LMDB, real worker threads, free ports. `known` are the
 * secrets of a data directory that another gateway has made.
 */
export async function startGateway(
  options: GatewayOptions = {},
  known: Secrets | null = null,
): Promise<TestGateway> {
  const folder = mkdtempSync(join(tmpdir(), "weir-"));
  const started = await startIn(folder, options);
  return testGateway(folder, options, known ?? secretsOf(started.running), started);
}

/**
 * A gateway before one upstream, which serves the model `p/m` on every wire and may be named by callers
 * too. `more`: of the account.
 */
export async function startGatewayBefore(origin: string, more: object = {}): Promise<TestGateway> {
  const account = { name: "p", type: "openai", baseUrl: origin, models: ["m"], ...more };
  return startGateway({
    config: {
      providers: [{ wires, ...account }],
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
  });
}

function secretsOf({ firstRun }: RunningGateway): Secrets {
  const { memberSecret: key = null, operatorSecret: operatorKey = null } = firstRun ?? {};
  if (key === null || operatorKey === null) throw new Error("a new folder was not a first start");
  return { key, operatorKey };
}

interface Started {
  readonly running: RunningGateway;
  readonly log: readonly LogLine[];
  readonly database: string | null;
}

async function startIn(folder: string, options: GatewayOptions): Promise<Started> {
  const namesStore = Object.hasOwn(options.config ?? {}, "store");
  const database = onSharedStore && !namesStore ? await databaseOf(folder) : null;
  const env =
    database === null
      ? environmentOf(folder, options)
      : {
          ...environmentOf(folder, { ...options, config: withSharedStore(options.config) }),
          WEIR_TEST_DATABASE: database,
        };
  const loaded = loadConfiguration(env, folder);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const log: LogLine[] = [];
  const logger = pino({ base: null }, { write: (line: string) => log.push(parseLine(line)) });
  const running = await start(loaded.value, logger, env);
  await running.keysShown();
  return { running, log, database };
}

function testGateway(
  folder: string,
  options: GatewayOptions,
  { key, operatorKey }: Secrets,
  { running, log, database }: Started,
): TestGateway {
  return {
    url: running.gateway,
    keysUrl: running.keys,
    ...{ key, operatorKey, database, log },
    restart: async (meanwhile) => {
      await running.stop();
      meanwhile?.();
      const again = await startIn(folder, options);
      return testGateway(folder, options, { key, operatorKey }, again);
    },
    stop: async () => {
      await running.stop();
      if (onSharedStore) await dropDatabaseOf(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function withSharedStore(config: unknown): object {
  const store = { type: "postgres", url: { env: "WEIR_TEST_DATABASE" } };
  return { ...(config as object | undefined), store };
}

/** The variables of a gateway that uses only `folder` and free ports. */
export function environmentOf(
  folder: string,
  { config, env }: GatewayOptions,
): Record<string, string> {
  const file = join(folder, "weir.config.json");
  if (config !== undefined) writeFileSync(file, JSON.stringify(priced(config)));
  return {
    GATEWAY_PORT: "0",
    GATEWAY_KEYS_PORT: "0",
    GATEWAY_DATA_DIR: join(folder, "data"),
    GATEWAY_SCAN_WORKERS: "1",
    ...(config === undefined ? {} : { GATEWAY_CONFIG: file }),
    ...env,
  };
}

function parseLine(line: string): LogLine {
  return JSON.parse(line) as LogLine;
}
