import type { Bench } from "../bench.ts";
import { smallChat } from "../bodies.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { cpuPerRequest, jsonBehaviour } from "./small-json.ts";

/**
 * The small chat request over 16 connections, with and without hundreds of idle connections. It
 * shows how much an idle connection slows down the requests of others.
 */
export async function idleConnections(bench: Bench): Promise<void> {
  for (let round = 0; round < Math.min(bench.scale.rounds, bench.scale.longRounds); round += 1) {
    for (const subject of bench.subjects) if (subject.tree !== null) await measure(bench, subject);
  }
}

async function measure(bench: Bench, subject: Subject): Promise<void> {
  const { idleConnections: count } = bench.scale;
  const load = { load: "idle", subject: subject.name, group: `${count} idle connections` };
  await attempt(bench, load, async (note) => {
    const model = subject.model(jsonBehaviour);
    const without = await cpuPerRequest(bench, subject);
    await bench.generator.run(
      "holdIdle",
      subject.target(jsonBehaviour),
      smallChat(model, "seen"),
      count,
    );
    const withThem = await cpuPerRequest(bench, subject);
    const { value: open } = await bench.generator.run("releaseIdle");
    if (open !== count) throw new Error(`${count - open} of ${count} idle connections were closed`);
    note("cpu", "CPU per request with them", "µs", withThem);
    note("cpu-without", "CPU per request without", "µs", without);
  });
}
