import type { Bench } from "./bench.ts";
import { smallChat } from "./bodies.ts";
import { request } from "./generator/once.ts";
import { readAll } from "./loads/events.ts";
import { shortStream } from "./loads/latency.ts";
import { jsonBehaviour } from "./loads/small-json.ts";

const connections = 64;
/**
 * Measured: Weir's CPU per request falls until about this number of requests. Compilers count how
 * often code ran, so a slow machine takes longer.
 */
const requests = 10_000;
/** The same for streams, which run other code. */
const streams = 5_000;
const msMax = 10_000;

/** Warms up the just-in-time compilers of every subject and of the generator. */
export async function warmUp(bench: Bench): Promise<void> {
  const { subjects, generator, scale } = bench;
  for (const subject of subjects) {
    try {
      const target = subject.target(jsonBehaviour);
      const body = smallChat(subject.model(jsonBehaviour), "new");
      const { body: answer } = await request(target, body);
      const answerBytes = Buffer.byteLength(answer);
      const call = { target, body, answerBytes };
      const deadline = () => performance.now() + Math.min(msMax, scale.jsonMs * 20);
      for (let sent = 0, end = deadline(); sent < requests && performance.now() < end;) {
        const { value } = await generator.run("closedLoop", call, connections, scale.jsonMs / 2);
        if (value.answered === 0) break;
        sent += value.answered;
      }
      for (let sent = 0, end = deadline(); sent < streams && performance.now() < end;) {
        await readAll(bench, subject, shortStream, connections, shortStream.count);
        sent += connections;
      }
    } catch {
      // The load itself will report the fault.
    }
  }
}
