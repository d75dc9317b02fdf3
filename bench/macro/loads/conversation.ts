import { measured, type Bench } from "../bench.ts";
import { Conversation } from "../bodies.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { jsonBehaviour } from "./small-json.ts";

/** The turns whose cost is reported. Each value is the mean of the turn and its neighbours. */
const toldTurns = [4, 10, 20, 38] as const;
const turns = 40;
const neighbours = 2;

/**
 * Conversations that grow by one turn with each request. Each request has the whole conversation, as an
 * SDK sends it. The figures are the cost of scanning the nth request, and for comparison that of a new
 * request of the same length.
 */
export async function conversation(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const { ownKeys } of bench.weirs) await grow(bench, ownKeys);
  }
}

async function grow(bench: Bench, subject: Subject): Promise<void> {
  const load = { load: "conversation", subject: subject.name, group: "A conversation of 40 turns" };
  await attempt(bench, load, async (note) => {
    const model = subject.model(jsonBehaviour);
    const all = Array.from({ length: bench.scale.conversations }, () => new Conversation(model));
    const scanUs: number[] = [];
    const totalUs: number[] = [];
    const cost = async (bodies: readonly string[]) => {
      const run = await measured(
        bench,
        subject,
        () => bench.generator.run("inSequence", subject.target(jsonBehaviour), bodies),
        conversationSettleMs,
      );
      const each = 1_000 / bodies.length;
      return { scan: run.scanCpuMs * each, total: (run.cpuMs ?? NaN) * each };
    };
    for (let turn = 1; turn <= turns; turn += 1) {
      const { scan, total } = await cost(all.map((each) => each.next()));
      scanUs.push(scan);
      totalUs.push(total);
    }
    for (const turn of toldTurns) {
      note(`scan-${turn}`, `scan, CPU, turn ${turn}`, "µs", around(scanUs, turn));
      note(`total-${turn}`, `all, CPU, turn ${turn}`, "µs", around(totalUs, turn));
    }
    const unseen = all.map(() => new Conversation(model).grown(turns));
    const { scan } = await cost(unseen);
    note("scan-unseen", `scan, CPU, ${turns} turns never seen before`, "µs", scan);
  });
}

const conversationSettleMs = 5;

function around(values: readonly number[], turn: number): number {
  const near = values.slice(turn - 1 - neighbours, turn + neighbours);
  return near.reduce((sum, value) => sum + value, 0) / near.length;
}
