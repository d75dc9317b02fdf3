import type { Bench } from "./bench.ts";
import { smallChat, streamingChat } from "./bodies.ts";
import { request } from "./generator/once.ts";
import { shortStream } from "./loads/latency.ts";
import { jsonBehaviour } from "./loads/small-json.ts";

const connections = 64;
/**
 * Measured: Weir's CPU per request falls until about so many. A compiler goes by how often something
 * ran, so a slow machine takes longer.
 */
const requests = 10_000;
const msMax = 10_000;

/** Lets the just-in-time compilers see what comes, in every subject and in the generator. */
export async function warmUp({ subjects, generator, scale }: Bench): Promise<void> {
  for (const subject of subjects) {
    try {
      const target = subject.target(jsonBehaviour);
      const body = smallChat(subject.model(jsonBehaviour), "new");
      const { body: answer } = await request(target, body);
      const answerBytes = Buffer.byteLength(answer);
      const call = { target, body, answerBytes };
      const deadline = performance.now() + Math.min(msMax, scale.jsonMs * 20);
      for (let sent = 0; sent < requests && performance.now() < deadline;) {
        const { value } = await generator.run("closedLoop", call, connections, scale.jsonMs / 2);
        if (value.answered === 0) break;
        sent += value.answered;
      }
      const stream = {
        target: subject.target(shortStream),
        body: streamingChat(subject.model(shortStream), 200),
      };
      await generator.run("inTurn", [stream], scale.latencyRequests);
    } catch {
      // The load itself will say what is wrong.
    }
  }
}
