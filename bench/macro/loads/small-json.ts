import { inOrder, measured, type Bench } from "../bench.ts";
import { smallChat, type SmallText } from "../bodies.ts";
import { request } from "../generator/once.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import type { Subject } from "../subjects/subject.ts";
import { runWrk } from "../wrk.ts";

export const jsonBehaviour: Behaviour = { kind: "json", delayMs: 0 };

const connectionCounts = [1, 16, 64];
const group = (connections: number): string => `Small JSON, ${connections} connections`;

/** A subject with the kind of text that it gets. */
interface Runner {
  readonly subject: Subject;
  readonly text: SmallText;
  readonly name: string;
}

const textNames: Readonly<Record<SmallText, string>> = {
  new: "",
  seen: ", text seen before",
  unscanned: ", text not scored",
};

/**
 * A small chat request, closed loop, over 1, 16 and 64 connections. Everybody gets another text each
 * time, so that Weir has to score each; beside that, Weir with a text that it has seen before, and
 * with one that its scan does not score.
 */
export async function smallJson(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const connections of connectionCounts) {
      for (const runner of inOrder(runners(bench, connections), round)) {
        await measure(bench, runner, connections);
      }
    }
  }
}

function runners({ subjects }: Bench, connections: number): readonly Runner[] {
  return subjects.flatMap((subject) => {
    const texts: SmallText[] = ["new"];
    if (subject.scanThreads.size > 0 && connections === 16) texts.push("seen", "unscanned");
    return texts.map((text) => ({ subject, text, name: subject.name + textNames[text] }));
  });
}

async function measure(bench: Bench, runner: Runner, connections: number): Promise<void> {
  const { subject, text, name } = runner;
  const load = `json/${connections}`;
  if (bench.book.hasFailed(load, name)) return;
  try {
    const target = subject.target(jsonBehaviour);
    const body = smallChat(subject.model(jsonBehaviour), text);
    const answer = await request(target, body);
    checkAnswer(answer.body);
    const run = await measured(bench, subject, () =>
      closedLoop(bench, subject, body, connections, answer),
    );
    const { answered, failed, why } = run.value;
    if (failed > 0) throw new Error(`${failed} of ${answered + failed} requests: ${why}`);
    // Each connection may have had a request under way when the load ended.
    if (run.answered < answered || run.answered > answered + connections) {
      throw new Error(`${answered} answers, but the provider gave ${run.answered}`);
    }
    note(bench, name, load, connections, { ...run.value, ...run, clientAnswered: answered });
  } catch (error) {
    bench.book.fail(load, name, error instanceof Error ? error.message : String(error));
  }
}

interface Noted {
  /** By the provider: with those that the load generator no longer waited for when it ended. */
  readonly answered: number;
  readonly clientAnswered: number;
  readonly cpuMs: number | null;
  readonly scanCpuMs: number;
  readonly wallMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly generatorShare: number;
  readonly providerShare: number;
}

function note(bench: Bench, name: string, load: string, connections: number, run: Noted): void {
  const add = (what: string, label: string, unit: string, value: number, higher = false): void => {
    const id = `macro/${load}/${what}/${name}`;
    const better = higher ? "higher" : "lower";
    bench.book.add({ id, group: group(connections), label, subject: name, unit, better }, value);
  };
  if (run.cpuMs !== null) {
    add("cpu", "CPU per request", "µs", (run.cpuMs / run.answered) * 1_000);
    if (run.scanCpuMs > 0) {
      const serving = run.cpuMs - run.scanCpuMs;
      add(
        "serving-cpu",
        "of that, outside the scan's threads",
        "µs",
        (serving / run.answered) * 1_000,
      );
    }
  }
  add("rate", "requests per second", "/s", run.clientAnswered / (run.wallMs / 1_000), true);
  add("p50", "latency p50", "ms", run.p50Ms);
  add("p99", "latency p99", "ms", run.p99Ms);
  add("generator", "load generator's CPU", "cores", run.generatorShare);
  add("provider", "provider's CPU", "cores", run.providerShare);
}

interface Closed {
  readonly answered: number;
  readonly failed: number;
  readonly why: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly wallMs: number;
  readonly generatorShare: number;
}

/** With wrk where it is there. */
async function closedLoop(
  bench: Bench,
  subject: Subject,
  body: string,
  connections: number,
  answer: { readonly headBytes: number; readonly body: string },
): Promise<Closed> {
  const target = subject.target(jsonBehaviour);
  const { jsonMs } = bench.scale;
  const answerBytes = Buffer.byteLength(answer.body);
  if (!bench.withWrk) {
    const call = { target, body, answerBytes };
    const { value, cpuMs, wallMs } = await bench.generator.run(
      "closedLoop",
      call,
      connections,
      jsonMs,
    );
    const why = value.firstFailure ?? "";
    return { ...value, why, wallMs, generatorShare: cpuMs / wallMs };
  }
  const run = await runWrk(bench.children, target, body, connections, jsonMs);
  // wrk can't compare bodies; heads differ in length by some digits of a balance or a time.
  const bytesEach = run.bytes / run.answered;
  const expected = answer.headBytes + answerBytes;
  if (Math.abs(bytesEach - expected) > headBytesOff) {
    throw new Error(`${Math.round(bytesEach)} bytes an answer, not ${expected}`);
  }
  return {
    ...run,
    why: "another status, or a broken connection",
    generatorShare: run.cpuMs / run.wallMs,
  };
}

const headBytesOff = 32;

/** The provider's answer, however a gateway may have written it anew. */
function checkAnswer(body: string): void {
  const { choices } = JSON.parse(body) as {
    readonly choices?: readonly { readonly message?: { readonly content?: string } }[];
  };
  if (choices?.[0]?.message?.content !== "The river is wide, and the boat is small.") {
    throw new Error("the answer is not the provider's");
  }
}
