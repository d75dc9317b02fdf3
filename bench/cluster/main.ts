// What a shared store costs: `npm run bench:cluster [-- --rounds N]`. Pay-through requests that the built-in demo
// answers, on one gateway with its own store, and on one, two and four that share a PostgreSQL, in turns; and what PostgreSQL
// takes for a flush and for a grant. It needs a PostgreSQL on this machine (WEIR_TEST_POSTGRES_URL, else 127.0.0.1:5432) and
// makes a database of its own there. On Linux only.
import { parseArgs } from "node:util";
import { Children } from "../macro/children.ts";
import { FunctionsBench } from "./functions.ts";
import { startGateway, type BenchGateway } from "./gateways.ts";
import { Load, type Measured, type Subject } from "./load.ts";
import { BenchDatabase } from "./server.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(values.rounds);
const [warmUpMs, measuredMs, functionMs] = [4_000, 3_000, 3_000];
const connectionCounts = [1, 16, 64];
/** Gateways that live and share a PostgreSQL. Those that are not asked follow the log too, so none is started before its turn. */
const stages = [1, 2, 4];

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return `× ${median(values).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}

function rowOf(
  connections: number,
  name: string,
  each: readonly Measured[],
  base: readonly Measured[],
) {
  const perRequest = (of: (one: Measured) => number): number =>
    Math.round(median(each.map((one) => (of(one) * 1_000) / one.requests)));
  return {
    connections,
    store: name,
    "p50, ms": median(each.map(({ p50Ms }) => p50Ms)).toFixed(2),
    "p50 to own": spread(each.map(({ p50Ms }, i) => p50Ms / (base[i]?.p50Ms ?? p50Ms))),
    "p99, ms": median(each.map(({ p99Ms }) => p99Ms)).toFixed(1),
    "requests/s": Math.round(median(each.map(({ requests }) => requests)) / (measuredMs / 1_000)),
    "µs of the loop": perRequest(({ loopMs }) => loopMs),
    "µs of all threads": perRequest(({ cpuMs }) => cpuMs),
    "µs of PostgreSQL": perRequest(({ serverMs }) => serverMs),
  };
}

/** The gateway with its own store, and those that share one, in turns. */
async function compare(load: Load, own: Subject, shared: Subject): Promise<readonly object[]> {
  for (const subject of [own, shared]) await load.measure(subject, 16, warmUpMs);
  const rows: object[] = [];
  for (const connections of connectionCounts) {
    const [base, each]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      base.push(await load.measure(own, connections, measuredMs));
      each.push(await load.measure(shared, connections, measuredMs));
    }
    rows.push(rowOf(connections, own.name, base, base));
    rows.push(rowOf(connections, shared.name, each, base));
  }
  return rows;
}

function subjectOf(name: string, gateways: readonly BenchGateway[]): Subject {
  const origins = gateways.map(({ origin }) => origin);
  const pids = gateways.map(({ pid }) => pid);
  return { name, origins, secret: gateways[0]?.secret ?? "", pids };
}

/** What the functions cost without gateways around. Their log is made up, so no gateway could follow it. */
async function measureFunctions(): Promise<void> {
  const database = new BenchDatabase("functions");
  await database.make();
  try {
    console.table(await new FunctionsBench(database.url).run(functionMs));
  } finally {
    await database.drop();
  }
}

async function measureGateways(): Promise<void> {
  const children = new Children();
  const database = new BenchDatabase("gateways");
  const load = new Load(database);
  await database.make();
  try {
    const own = subjectOf("own", [await startGateway(children, "own", null)]);
    const sharing: BenchGateway[] = [];
    const rows: object[] = [];
    for (const count of stages) {
      while (sharing.length < count) {
        const name = `shared-${sharing.length}`;
        sharing.push(await startGateway(children, name, database.url));
      }
      rows.push(...(await compare(load, own, subjectOf(`shared by ${count}`, sharing))));
    }
    console.table(rows);
  } finally {
    await children.close();
    await database.drop();
  }
}

await measureFunctions();
await measureGateways();
