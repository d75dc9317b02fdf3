import { setTimeout as sleep } from "node:timers/promises";
import { inOrder, measured, type Bench, type Measured } from "../bench.ts";
import { smallChat, type SmallText } from "../bodies.ts";
import { request, type Answer } from "../generator/once.ts";
import type { Target } from "../generator/request.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import type { Subject } from "../subjects/subject.ts";
import { runWrk } from "../wrk.ts";
import { attempt } from "./attempt.ts";

export const jsonBehaviour: Behaviour = { kind: "json", delayMs: 0 };

const connectionCounts = [1, 16, 64];

/** The label of a kind of text, and the suffix of its figures' names. */
const texts: Readonly<Record<SmallText, { readonly suffix: string; readonly label: string }>> = {
  new: { suffix: "", label: "" },
  seen: { suffix: "-seen", label: ", request sent before" },
  unscanned: { suffix: "-unscanned", label: ", text not scored" },
};

/**
 * A small chat request in a closed loop over 1, 16 and 64 connections. Every request has a new text,
 * so that Weir has to score each one. Weir is also measured with a request that was sent before, and
 * with a text that its scan does not score.
 */
export async function smallJson(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const connections of connectionCounts) {
      for (const subject of inOrder(bench.subjects, round)) {
        await measure(bench, subject, "new", connections);
        if (subject.scanThreads.size === 0 || connections !== 16) continue;
        await measure(bench, subject, "seen", connections);
        await measure(bench, subject, "unscanned", connections);
      }
    }
  }
}

async function measure(
  bench: Bench,
  subject: Subject,
  text: SmallText,
  connections: number,
): Promise<void> {
  const group = `Small JSON, ${connections} connections`;
  const part = { load: `json/${connections}`, subject: subject.name, group };
  await attempt(bench, part, async (note) => {
    const run = await closedLoop(bench, subject, text, connections);
    const { cpuMs, scanCpuMs, answered, providerShare, value } = run;
    const { suffix, label } = texts[text];
    const each = 1_000 / answered;
    if (cpuMs !== null) {
      note(`cpu${suffix}`, `CPU per request${label}`, "µs", cpuMs * each);
      if (scanCpuMs > 0) {
        const what = `serving-cpu${suffix}`;
        note(what, `outside the scan's threads${label}`, "µs", (cpuMs - scanCpuMs) * each);
      }
    }
    if (text !== "new") return;
    const rate = value.answered / (value.wallMs / 1_000);
    note("rate", "requests per second", "/s", rate, "higher");
    note("p50", "latency p50", "ms", value.p50Ms);
    note("p99", "latency p99", "ms", value.p99Ms);
    note("generator", "load generator's CPU", "cores", value.generatorShare);
    note("provider", "provider's CPU", "cores", providerShare);
  });
}

/**
 * CPU time of a request in µs, over 16 connections, with a new text each time. Throws if a request
 * failed.
 */
export async function cpuPerRequest(bench: Bench, subject: Subject): Promise<number> {
  const { cpuMs, answered } = await closedLoop(bench, subject, "new", 16);
  return ((cpuMs ?? NaN) * 1_000) / answered;
}

/**
 * `answered` is the provider's count. So it includes requests for which the load generator did not
 * wait at its end; these also cost the subject CPU time. Throws if an answer is not the provider's.
 */
async function closedLoop(
  bench: Bench,
  subject: Subject,
  text: SmallText,
  connections: number,
): Promise<Measured<Closed>> {
  const target = subject.target(jsonBehaviour);
  const body = smallChat(subject.model(jsonBehaviour), text);
  const answer = await request(target, body);
  checkAnswer(answer.body);
  const run = await measured(bench, subject, () => load(bench, target, body, connections, answer));
  const { answered, failed, why } = run.value;
  if (failed > 0) throw new Error(`${failed} of ${answered + failed} requests: ${why}`);
  if (answered === 0) throw new Error("no request was answered in time");
  // Each connection may have had a request under way when this load ended. If the subject could not
  // run for a while, the same is true for the end of the previous load.
  if (run.answered < answered || run.answered > answered + 2 * connections) {
    throw new Error(`${answered} answers, but the provider gave ${run.answered}`);
  }
  return run;
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

/** Uses wrk if it is installed. */
async function load(
  bench: Bench,
  target: Target,
  body: string,
  connections: number,
  answer: Answer,
): Promise<Closed> {
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
  const run = await runWrk(bench.children, target, body, connections, () => enough(bench));
  // wrk can't compare bodies. The lengths of heads differ by some digits of a balance or a time.
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
/** The least number of requests for a meaningful CPU time. A slow subject gets more time. */
const requestsMin = 1_500;
const timesJsonMsMax = 3;
const pollMs = 20;

async function enough({ provider, scale }: Bench): Promise<void> {
  const [begunMs, { answered }] = [performance.now(), await provider.counts()];
  await sleep(scale.jsonMs);
  while (performance.now() - begunMs < scale.jsonMs * timesJsonMsMax) {
    if ((await provider.counts()).answered - answered >= requestsMin) return;
    await sleep(pollMs);
  }
}

/** Checks that this is the provider's answer, even if a gateway has rewritten it. */
function checkAnswer(body: string): void {
  const { choices } = JSON.parse(body) as {
    readonly choices?: readonly { readonly message?: { readonly content?: string } }[];
  };
  if (choices?.[0]?.message?.content !== "The river is wide, and the boat is small.") {
    throw new Error("the answer is not the provider's");
  }
}
