import type { Bench } from "../bench.ts";
import { smallChat, streamingChat } from "../bodies.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import { median } from "../../report/statistics.ts";
import { quantile } from "../statistics.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { jsonBehaviour } from "./small-json.ts";

/** The first event comes with the head, the rest when the reader has long seen it. */
export const shortStream: Behaviour = { kind: "events", count: 2, everyMs: 2 };

/**
 * One request at a time, to each subject in turn: what it adds to the latency of a JSON answer, and to
 * that of a stream's first event, as the difference of its median and the one without anybody between.
 */
export async function latency(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const kind of ["json", "stream"] as const) await inTurn(bench, kind);
  }
}

type Kind = "json" | "stream";

const groups: Readonly<Record<Kind, string>> = {
  json: "Latency of a JSON answer, one at a time",
  stream: "First byte of a stream, one at a time",
};

async function inTurn(bench: Bench, kind: Kind): Promise<void> {
  const { book, subjects, scale, generator } = bench;
  const partOf = ({ name }: Subject) => ({
    load: `latency/${kind}`,
    subject: name,
    group: groups[kind],
  });
  const able: Subject[] = [];
  for (const subject of subjects) {
    // Who can't answer must not take the others with him.
    await attempt(bench, partOf(subject), async () => {
      await generator.run("inTurn", [callOf(subject, kind)], 1);
      able.push(subject);
    });
  }
  const calls = able.map((subject) => callOf(subject, kind));
  const ran = await generator
    .run("inTurn", calls, scale.latencyRequests)
    .catch((error: unknown) => {
      // Nobody knows any more whose fault it was.
      for (const subject of able) book.fail(partOf(subject), String(error));
      return null;
    });
  if (ran === null) return;
  const samples = ran.value.map(({ firstByteMs, endMs }) =>
    kind === "json" ? endMs : firstByteMs,
  );
  // Direct, which stands first: without it there is nothing to compare with.
  const [base = []] = samples;
  for (const [index, subject] of able.entries()) {
    const own = samples[index] ?? [];
    const add = (what: string, label: string, ms: number): void =>
      book.add(partOf(subject), { what, label, unit: "ms", better: "lower", value: ms });
    if (subject.tree !== null) add("added", "added p50", median(own) - median(base));
    add("p50", "p50", median(own));
    add("p99", "p99", quantile(own, 0.99));
  }
}

function callOf(subject: Subject, kind: Kind) {
  const behaviour = kind === "json" ? jsonBehaviour : shortStream;
  const model = subject.model(behaviour);
  const body = kind === "json" ? smallChat(model, "new") : streamingChat(model, 200);
  return { target: subject.target(behaviour), body };
}
