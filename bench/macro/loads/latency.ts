import type { Bench } from "../bench.ts";
import { smallChat, streamingChat } from "../bodies.ts";
import type { Latencies } from "../generator/in-turn.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import { median, quantile } from "../statistics.ts";
import type { Subject } from "../subjects/subject.ts";
import { jsonBehaviour } from "./small-json.ts";

/** The first event comes with the head, the rest when the reader has long seen it. */
export const shortStream: Behaviour = { kind: "events", count: 2, everyMs: 2 };

/**
 * One request at a time, to each subject in turn: what it adds to the latency of a JSON answer, and to
 * that of a stream's first event, as the difference of its median and the one without anybody between.
 */
export async function latency(bench: Bench): Promise<void> {
  const { subjects, scale, generator } = bench;
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const kind of ["json", "stream"] as const) {
      const load = `latency/${kind}`;
      const calls = subjects.map((subject) => callOf(subject, kind));
      try {
        const { value } = await generator.run("inTurn", calls, scale.latencyRequests);
        note(bench, kind, value);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        for (const { name } of subjects) bench.book.fail(load, name, reason);
      }
    }
  }
}

function callOf(subject: Subject, kind: "json" | "stream") {
  const behaviour = kind === "json" ? jsonBehaviour : shortStream;
  const model = subject.model(behaviour);
  const body = kind === "json" ? smallChat(model, "new") : streamingChat(model, 200);
  return { target: subject.target(behaviour), body };
}

function note({ book, subjects }: Bench, kind: "json" | "stream", all: readonly Latencies[]): void {
  const samples = all.map(({ firstByteMs, endMs }) => (kind === "json" ? endMs : firstByteMs));
  const [withoutAnybody = []] = samples;
  const base = median(withoutAnybody);
  for (const [index, { name }] of subjects.entries()) {
    const own = samples[index] ?? [];
    const shared = {
      group: kind === "json" ? "Latency of a JSON answer, one at a time" : "First byte of a stream",
      subject: name,
      unit: "ms",
      better: "lower",
    } as const;
    const add = (what: string, label: string, value: number): void =>
      book.add({ ...shared, id: `macro/latency/${kind}/${what}/${name}`, label }, value);
    if (index > 0) add("added", "added p50", median(own) - base);
    add("p50", "p50", median(own));
    add("p99", "p99", quantile(own, 0.99));
  }
}
