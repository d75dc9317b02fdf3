import { inOrder, measured, type Bench } from "../bench.ts";
import { smallChat } from "../bodies.ts";
import { request } from "../generator/once.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { jsonBehaviour } from "./small-json.ts";

/** A rate that even the slowest subject can serve on a small machine. */
const ratePerSecond = 150;

/**
 * Open loop: requests come at a rate that all subjects can serve, and their latency counts from when
 * they were due. CPU per request is measured here without the advantage of a full queue.
 */
export async function steady(bench: Bench): Promise<void> {
  for (let round = 0; round < Math.min(bench.scale.rounds, bench.scale.longRounds); round += 1) {
    for (const subject of inOrder(bench.subjects, round)) await measure(bench, subject);
  }
}

async function measure(bench: Bench, subject: Subject): Promise<void> {
  const group = `Steady: ${ratePerSecond} requests per second`;
  await attempt(bench, { load: "steady", subject: subject.name, group }, async (note) => {
    const target = subject.target(jsonBehaviour);
    const body = smallChat(subject.model(jsonBehaviour), "new");
    const answerBytes = Buffer.byteLength((await request(target, body)).body);
    const run = await measured(bench, subject, () =>
      bench.generator.run(
        "openLoop",
        { target, body, answerBytes },
        ratePerSecond,
        bench.scale.steadyMs,
      ),
    );
    const { value, cpuMs, wallMs } = run.value;
    if (value.failed > 0) throw new Error(`${value.failed} requests: ${value.firstFailure}`);
    if (run.cpuMs !== null)
      note("cpu", "CPU per request", "µs", (run.cpuMs / run.answered) * 1_000);
    note("p50", "latency p50", "ms", value.p50Ms);
    note("p99", "latency p99", "ms", value.p99Ms);
    note("generator", "load generator's CPU", "cores", cpuMs / wallMs);
  });
}
