import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { migrate } from "../../src/store/shared/migrations.ts";
import type { GatewayOptions } from "../support/gateway.ts";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { until } from "./bounded.ts";
import type { Network, Place } from "./network.ts";
import { readinessOf, reportFlags, stateOf } from "./post-mortem.ts";
import type { ClusterProgram } from "./program.ts";

export const operatorKey = `sk-gw-${"0".repeat(48)}`;
export const gatewaysCount = 3;
/** A machine with other work takes its time to start a process. */
const startMsMax = 90_000;
const startTriesMax = 3;
const [readyMsMax, queryMsMax] = [90_000, 60_000];

/** A gateway of the cluster: its place, and the process that is there now. */
export interface Node extends Place {
  readonly number: number;
  readonly folder: string;
  /** null: it is dead. */
  process: GatewayProcess | null;
}

interface Fenced {
  readonly id: string;
  readonly seq: string;
}

/** A gateway that finds no PostgreSQL in time ends, and who watches over it starts it again. */
async function started(options: GatewayOptions, folder: string): Promise<GatewayProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startProcess(options, folder);
    } catch (error) {
      if (tries === startTriesMax) throw error;
    }
  }
}

/** Three gateways that share a PostgreSQL of their own. */
export class Cluster {
  readonly server: PostgresServer;
  readonly nodes: readonly Node[];
  /** Gateways that have ended by themselves, and why. */
  readonly deaths: string[] = [];
  /** How many were killed. */
  kills = 0;
  readonly #program: ClusterProgram;
  readonly #config: object;
  #turn = 0;
  /** Those that servers have counted who were killed since. */
  #deadlocks = 0;
  /** The last flush of gateways that others have taken for dead. */
  readonly #lastFlushes = new Map<string, string>();

  private constructor(
    server: PostgresServer,
    nodes: readonly Node[],
    program: ClusterProgram,
    config: object,
  ) {
    this.server = server;
    this.nodes = nodes;
    this.#program = program;
    this.#config = config;
  }

  static async start(program: ClusterProgram, config: object, network: Network): Promise<Cluster> {
    const server = await PostgresServer.start(network.reach);
    await migrate(server.url);
    const places = await network.places(server.port);
    const nodes = places.map((place, index): Node => {
      const folder = mkdtempSync(join(tmpdir(), "weir-"));
      return { ...place, number: index + 1, folder, process: null };
    });
    const cluster = new Cluster(server, nodes, program, config);
    // At the same moment, so that all of them find an empty store.
    await Promise.all(nodes.map((node) => cluster.boot(node)));
    return cluster;
  }

  /** How long a gateway must stand still until the others have taken it for dead. */
  get fencedMs(): number {
    return this.#program.fencedMs;
  }

  /** How long a gateway may act on what it knows, after its last word from PostgreSQL. */
  get leaseMs(): number {
    return this.#program.leaseMs;
  }

  /** The most that an answer may take: its gateway stands still, and has then to find PostgreSQL again. */
  get answerMsMax(): number {
    return this.fencedMs + 90_000;
  }

  async boot(node: Node): Promise<void> {
    if (node.process !== null) return;
    // What a release needs for a server that is not on its machine and has no certificate.
    const url = `${node.link.through(this.server.url)}?sslmode=disable`;
    const store = { type: "postgres", url: { env: "WEIR_POSTGRES_URL" } };
    const options = {
      config: { ...this.#config, store },
      program: this.#program.program,
      launcher: node.launcher,
      env: {
        GATEWAY_HOST: node.host,
        GATEWAY_OPERATOR_KEY: operatorKey,
        GATEWAY_LOG_LEVEL: "warn",
        GATEWAY_PROXY_THREADS: String(1 + (node.number % 2)),
        NODE_OPTIONS: reportFlags(node.folder),
        WEIR_POSTGRES_URL: url,
      },
      startMsMax,
    };
    const process = await started(options, node.folder);
    node.process = process;
    void process.exit.then((code) => {
      if (node.process !== process) return;
      node.process = null;
      this.deaths.push(
        `gateway ${node.number} ended with ${code}:\n${process.output().slice(-5_000)}`,
      );
    });
  }

  async kill(node: Node): Promise<void> {
    const { process } = node;
    if (process === null) return;
    node.process = null;
    this.kills += 1;
    process.child.kill("SIGKILL");
    await process.exit;
  }

  async killServer(): Promise<void> {
    await this.noteDeadlocks();
    await this.server.kill();
  }

  /** Call it before a gateway goes on that may have been fenced. */
  async noteFenced(): Promise<void> {
    for (const { id, seq } of await this.#fenced()) this.#lastFlushes.set(id, seq);
  }

  /** Gateways from whom the store has taken a flush although they were fenced. */
  async heardOfFenced(): Promise<readonly string[]> {
    const isLater = ({ id, seq }: Fenced): boolean => (this.#lastFlushes.get(id) ?? seq) !== seq;
    return (await this.#fenced()).filter(isLater).map(({ id }) => id);
  }

  #fenced(): Promise<readonly Fenced[]> {
    return this.query("SELECT id, flush_seq AS seq FROM weir.gateway WHERE state = 'fenced'");
  }

  /** Call it before the server is killed, which forgets them. */
  async noteDeadlocks(): Promise<void> {
    this.#deadlocks = await this.deadlocks();
  }

  /** Deadlocks that PostgreSQL had to end, since the start. */
  async deadlocks(): Promise<number> {
    const sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    const [{ deadlocks } = { deadlocks: "0" }] = await this.query<{ deadlocks: string }>(sql);
    return this.#deadlocks + Number(deadlocks);
  }

  /** The gateways in turn, as a balancer that looks at nothing but whether a process is there. */
  next(): GatewayProcess | null {
    for (let tried = 0; tried < this.nodes.length; tried += 1) {
      this.#turn += 1;
      const process = this.nodes[this.#turn % this.nodes.length]?.process ?? null;
      if (process !== null) return process;
    }
    return null;
  }

  /** Everything works again. Rejects if a gateway is not ready after `readyMsMax`. */
  async heal(): Promise<void> {
    await this.server.start();
    this.server.resume();
    for (const node of this.nodes) {
      node.link.heal();
      node.process?.child.kill("SIGCONT");
    }
    // One that has ended by itself is started again as an operator would; the test counts its deaths.
    for (const node of this.nodes) await this.boot(node);
    await this.ready(readyMsMax);
  }

  /** Resolves when each of these gateways says that it is ready. */
  async ready(msMax: number, which: (node: Node) => boolean = () => true): Promise<void> {
    const state = (): Promise<string> => this.state();
    for (const { number, process } of this.nodes.filter(which)) {
      const isSo = async (): Promise<true | string> => {
        const told = await readinessOf(process);
        return told === "200" ? true : told;
      };
      await until(`gateway ${number} is ready`, msMax, isSo, state);
    }
  }

  async query<Row extends object>(sql: string): Promise<readonly Row[]> {
    return this.withClient(async (client) => (await client.query(sql)).rows as Row[]);
  }

  /** Past every faulty link. */
  async withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      connectionString: this.server.url,
      ...{ connectionTimeoutMillis: queryMsMax, query_timeout: queryMsMax },
    });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** What everybody is at, for a failure that nobody was there to see. */
  state(): Promise<string> {
    return stateOf(this);
  }

  async close(): Promise<void> {
    for (const node of this.nodes) {
      await this.kill(node);
      await node.link.close();
      rmSync(node.folder, { recursive: true, force: true });
    }
    await this.server.close();
    this.#program.remove();
  }
}
