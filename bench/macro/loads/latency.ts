import { median } from "../../report/statistics.ts";
import { inOrder, type Bench } from "../bench.ts";
import { smallChat, streamingChat } from "../bodies.ts";
import { flushTimes } from "../disk.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import { quantile } from "../statistics.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { jsonBehaviour } from "./small-json.ts";

/** The first event comes with the head. The rest comes long after the reader has seen it. */
export const shortStream = { kind: "events", count: 2, everyMs: 2 } satisfies Behaviour;

const kinds = {
  json: "a JSON answer",
  stream: "the first byte of a stream",
} as const;

type Kind = keyof typeof kinds;

/** The pause between requests, after which all processes are idle. */
const restMs = 20;

/**
 * The latency that each subject adds to a JSON answer and to a stream's first event. It is measured over
 * one connection, without pauses, and with pauses after which caches are cold and threads asleep. Weir
 * is also measured with a request that was sent before, whose score it remembers. A JSON answer that the
 * service pays for waits for a flush of the disk, so the flush alone is reported too.
 */
export async function latency(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const kind of ["json", "stream"] as const) {
      await compare(bench, round, kind, 0);
      await compare(bench, round, kind, restMs);
    }
  }
}

async function compare(bench: Bench, round: number, kind: Kind, pauseMs: number): Promise<void> {
  const pause = pauseMs === 0 ? "request after request" : `a pause of ${pauseMs} ms before each`;
  const load = pauseMs === 0 ? `latency/${kind}` : `latency-rested/${kind}`;
  const group = `Latency of ${kinds[kind]}, one connection, ${pause}`;
  const flushMs = kind === "json" ? await flush(bench, load, group) : null;
  const direct: number[] = [];
  const added: ((directMs: number) => void)[] = [];
  for (const subject of inOrder(bench.subjects, round)) {
    await attempt(bench, { load, subject: subject.name, group }, async (note) => {
      const own = await latenciesOf(bench, subject, kind, pauseMs, "new");
      const p50 = median(own);
      if (subject.tree === null) direct.push(p50);
      else added.push((base) => note("added", "added p50", "ms", p50 - base));
      note("p50", "p50", "ms", p50);
      note("p99", "p99", "ms", quantile(own, 0.99));
      if (subject.scanThreads.size === 0) return;
      const seen = median(await latenciesOf(bench, subject, kind, pauseMs, "seen"));
      const label = "added p50, request sent before";
      added.push((base) => note("added-seen", label, "ms", seen - base));
      if (flushMs === null || !subject.name.endsWith("pay-through")) return;
      note("over-flush", "p50 over one flush of the disk", "ms", p50 - flushMs);
      note("over-flush-seen", "the same, request sent before", "ms", seen - flushMs);
    });
  }
  const [base] = direct;
  if (base === undefined) return;
  for (const add of added) add(base);
}

/** The median of a flush of the disk, in ms; null: it can't be measured. */
async function flush(bench: Bench, load: string, group: string): Promise<number | null> {
  let flushMs: number | null = null;
  await attempt(bench, { load, subject: "disk", group }, (note) => {
    const times = flushTimes(bench.scale.latencyRequests);
    note("p50", "p50", "ms", (flushMs = median(times)));
    note("p99", "p99", "ms", quantile(times, 0.99));
    return Promise.resolve();
  });
  return flushMs;
}

async function latenciesOf(
  { generator, scale }: Bench,
  subject: Subject,
  kind: Kind,
  pauseMs: number,
  text: "new" | "seen",
): Promise<readonly number[]> {
  const behaviour = kind === "json" ? jsonBehaviour : shortStream;
  const model = subject.model(behaviour);
  const body = kind === "json" ? smallChat(model, text) : streamingChat(model, 200, text);
  const call = { target: subject.target(behaviour), body };
  const most = { requests: scale.latencyRequests, ms: scale.latencyMs };
  const { value } = await generator.run("oneByOne", call, most, pauseMs);
  return kind === "json" ? value.endMs : value.firstByteMs;
}
