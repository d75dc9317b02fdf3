// `npm run bench:stairs [-- --rounds 5]`: the cost of each part of a request. The same program runs with one
// part left out at a time, and the difference is that part's cost: CPU of all threads and of the loop,
// promises, heap. It takes some minutes and needs an idle machine. The CPU figures of a busy machine mean
// little.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Agent } from "node:http";
import { Children } from "../macro/children.ts";
import { cpuMs } from "../macro/process-tree.ts";
import { Provider } from "../macro/provider/provider.ts";
import { quantile } from "../macro/statistics.ts";
import { startWeir, type Weir } from "../macro/subjects/weir.ts";
import { answers, ask, countWays } from "../way/count.ts";
import { parts } from "./parts.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(values.rounds);
const program = join(import.meta.dirname, "../../dist/main.js");
const connections = 16;
const warmUpRequests = 4_000;
const requestsPerRound = 2_000;

const modes = { "own keys": "ownKeys", "pay-through": "payThrough" } as const;
type ModeName = keyof typeof modes;

interface Step {
  readonly name: string;
  readonly flags: readonly string[];
}

const steps: readonly Step[] = [
  { name: "everything", flags: [] },
  ...parts.map(({ name }, i) => {
    const hook = new URL(`./leave-out.ts?part=${i}`, import.meta.url).href;
    return { name: `without ${name}`, flags: ["--import", hook] };
  }),
];

/** Microseconds of CPU per request, one value for each round. */
interface Cpu {
  readonly all: number[];
  readonly loop: number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: connections });

async function send(weir: Weir, mode: ModeName, requests: number): Promise<void> {
  const each = Math.ceil(requests / connections);
  const subject = weir[modes[mode]];
  await Promise.all(Array.from({ length: connections }, () => ask(subject, "JSON", each, agent)));
}

async function measure(weir: Weir, mode: ModeName, cpu: Cpu): Promise<void> {
  const pid = weir.child.pid ?? 0;
  const before = weir.tree.threads();
  await send(weir, mode, requestsPerRound);
  const after = weir.tree.threads();
  cpu.all.push((cpuMs(before, after) * 1_000) / requestsPerRound);
  cpu.loop.push((cpuMs(before, after, new Set([pid])) * 1_000) / requestsPerRound);
}

/**
 * Each step's CPU time, in alternating rounds, so that changes of the machine affect all steps
 * equally.
 */
async function cpuOf(mode: ModeName): Promise<Map<Step, Cpu>> {
  const children = new Children();
  try {
    const provider = await Provider.start(children);
    const running: { step: Step; weir: Weir; cpu: Cpu }[] = [];
    for (const step of steps) {
      const weir = await startWeir(children, {
        program,
        name: step.name,
        providerPort: provider.port,
        behaviours: [answers.JSON],
        probe: { flags: step.flags, semiSpaceMb: 16 },
      });
      running.push({ step, weir, cpu: { all: [], loop: [] } });
      await send(weir, mode, warmUpRequests);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const { weir, cpu } of running) await measure(weir, mode, cpu);
    }
    return new Map(running.map(({ step, cpu }) => [step, cpu]));
  } finally {
    agent.destroy();
    await children.close();
  }
}

for (const mode of Object.keys(modes) as ModeName[]) {
  const table: Record<string, Record<string, string>> = {};
  for (const [{ name, flags }, { all, loop }] of await cpuOf(mode)) {
    const request = `${mode}, JSON` as const;
    const way = (await countWays(program, { flags, only: [request] })).get(request);
    table[name] = {
      "CPU, µs": quantile(all, 0.5).toFixed(0),
      "of the loop": quantile(loop, 0.5).toFixed(0),
      promises: way?.promises.toFixed(1) ?? "",
      functions: String(way?.own.functions ?? ""),
      "heap, KB": ((way?.heapBytes ?? 0) / 1_024).toFixed(1),
    };
  }
  console.log(`${mode}, a small JSON request sent before, ${connections} connections`);
  console.table(table);
}
