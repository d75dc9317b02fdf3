import { readdirSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import type { GatewayProcess } from "../support/gateway-process.ts";
import { passed } from "./bounded.ts";
import type { Cluster, Node } from "./cluster.ts";

/** Node's flags with which a gateway writes what its threads are at, on SIGUSR2. */
export function reportFlags(folder: string): string {
  const flags = ["--report-on-signal", "--report-signal=SIGUSR2", "--report-compact"];
  return [...flags, `--report-directory=${folder}`].join(" ");
}

const readinessMsMax = 5_000;

/** What a gateway tells of its readiness: a status, or why there is none. Each time it may be another of its threads. */
export async function readinessOf(gateway: GatewayProcess | null): Promise<string> {
  if (gateway === null) return "it is dead";
  const signal = AbortSignal.timeout(readinessMsMax);
  return new Promise((resolve) => {
    // A connection of its own, because the system gives each connection to a thread.
    const asked = get(`${gateway.url}/readyz`, { agent: false, signal }, (response) => {
      response.resume().on("error", () => undefined);
      resolve(String(response.statusCode));
    });
    asked.on("error", (error) => resolve(error.message));
  });
}

const outputCharsMax = 4_000;
const questions = {
  gateways: "SELECT id, name, flush_seq, conn, config_seq, state FROM weir.gateway ORDER BY id",
  accounts: "SELECT * FROM weir.account",
  escrows: "SELECT * FROM weir.escrow WHERE amount > 0",
  holds: "SELECT request_id, org_id, gateway_id, amount FROM weir.hold",
  log: "SELECT size, runs, (SELECT count(*) FROM weir.run WHERE place IS NULL) AS waiting FROM weir.log_head",
  connections: `SELECT pid, state, wait_event_type, wait_event, left(query, 100) AS query,
    now() - state_change AS since FROM pg_stat_activity WHERE datname = current_database()`,
};

/** What the gateways and PostgreSQL say of themselves. Never rejects. */
export async function stateOf(cluster: Cluster): Promise<string> {
  const told: string[] = [];
  for (const node of cluster.nodes) told.push(...(await gatewayOf(node)));
  for (const [name, sql] of Object.entries(questions)) {
    const rows = await cluster.query(sql).catch((error: unknown) => [{ error: String(error) }]);
    told.push(`${name}:`, ...rows.map((row) => `  ${JSON.stringify(row)}`));
  }
  told.push("PostgreSQL:", cluster.server.output.slice(-outputCharsMax));
  return told.join("\n");
}

async function gatewayOf(node: Node): Promise<readonly string[]> {
  const ready = await readinessOf(node.process);
  const output = node.process?.output().slice(-outputCharsMax) ?? "";
  return [`gateway ${node.number}: readiness ${ready}`, output, ...(await stacksOf(node))];
}

async function stacksOf({ folder, process }: Node): Promise<readonly string[]> {
  process?.child.kill("SIGUSR2");
  await passed(2_000);
  const found: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.startsWith("report."))) {
    try {
      const { javascriptStack, workers } = JSON.parse(
        readFileSync(join(folder, name), "utf8"),
      ) as Report;
      const all = [javascriptStack, ...(workers ?? []).map((worker) => worker.javascriptStack)];
      found.push(...all.map((stack) => `  ${JSON.stringify(stack)}`));
    } catch (error) {
      found.push(String(error));
    }
    rmSync(join(folder, name), { force: true });
  }
  return found;
}

interface Report {
  readonly javascriptStack: unknown;
  readonly workers?: readonly { readonly javascriptStack: unknown }[];
}
