import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { smallChat, streamingChat } from "../bodies.ts";
import { request } from "../generator/once.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { jsonBehaviour } from "./small-json.ts";

/** Streams that are read at once may need this long until their buffers are full. */
const stallMs = 300;
const othersPerSecond = 100;

export function longStream(eventsEach: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs: 0 };
}

/**
 * Clients that stop reading streams of many megabytes. The figures are the subject's memory for them
 * and the effect on other requests. Then they read on, and no event may be missing.
 */
export async function slowReaders(bench: Bench): Promise<void> {
  for (const subject of bench.subjects) if (subject.tree !== null) await stall(bench, subject);
}

async function stall(bench: Bench, subject: Subject): Promise<void> {
  const { slowReaders: count, slowReaderEvents: eventsEach } = bench.scale;
  const { generator } = bench;
  const { tree } = subject;
  if (tree === null) return;
  const load = { load: "slow-reader", subject: subject.name, group: `${count} readers that stall` };
  await attempt(bench, load, async (note) => {
    const behaviour = longStream(eventsEach);
    const body = streamingChat(subject.model(behaviour), eventsEach);
    const before = await others(bench, subject);
    const beforeBytes = tree.residentBytes();
    try {
      await generator.run("stallStreams", subject.target(behaviour), body, count);
      await sleep(stallMs);
      const each = (tree.residentBytes() - beforeBytes) / count;
      const during = await others(bench, subject);
      const { value: whole } = await generator.run("resumeStreams", eventsEach);
      if (whole !== count)
        throw new Error(`${whole} of ${count} streams brought all of their events`);
      note("memory", "memory per stalled reader", "KB", each / 1_000);
      note("others-p50", "p50 of others", "ms", during);
      note("others-p50-before", "p50 of others before", "ms", before);
    } finally {
      await generator.run("dropStreams");
    }
  });
}

async function others({ generator, scale }: Bench, subject: Subject): Promise<number> {
  const target = subject.target(jsonBehaviour);
  const body = smallChat(subject.model(jsonBehaviour), "new");
  const answerBytes = Buffer.byteLength((await request(target, body)).body);
  const call = { target, body, answerBytes };
  const { value } = await generator.run("openLoop", call, othersPerSecond, scale.jsonMs);
  if (value.failed > 0) throw new Error(`others failed: ${value.firstFailure}`);
  return value.p50Ms;
}
