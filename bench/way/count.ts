// The cost of one request for the thread that serves it, in counts: files, functions and calls on its
// way, promises, ticks, bytes of heap. Counts differ little between machines, so two builds can be
// compared.
import { once } from "node:events";
import { Agent, request } from "node:http";
import { smallChat, streamingChat } from "../macro/bodies.ts";
import { Children } from "../macro/children.ts";
import type { Behaviour } from "../macro/provider/behaviour.ts";
import { Provider } from "../macro/provider/provider.ts";
import type { Subject } from "../macro/subjects/subject.ts";
import { startWeir, type Weir } from "../macro/subjects/weir.ts";
import { countsOf, type ProbeAnswer, type ProbeQuestion, type Way } from "./way.ts";

/** After this many requests the code is optimized and every cache is warm. */
const warmUpRequests = 3_000;
const countedRequests = 400;
/** An odd number, for the median. */
const heapLots = 9;
const heapLotRequests = 60;

/** The provider's answers. */
export const answers = {
  JSON: { kind: "json", delayMs: 0 },
  SSE: { kind: "events", count: 20, everyMs: 0 },
} as const satisfies Record<string, Behaviour>;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends requests one after the other, on one connection of the agent. */
export async function ask(
  subject: Subject,
  kind: keyof typeof answers,
  requests: number,
  through = agent,
): Promise<void> {
  const { port, path, headers } = subject.target(answers[kind]);
  const model = subject.model(answers[kind]);
  const body = kind === "JSON" ? smallChat(model, "seen") : streamingChat(model, 200, "seen");
  for (let i = 0; i < requests; i += 1) {
    await new Promise<void>((resolve, reject) => {
      const options = { agent: through, port, path, method: "POST", host: "127.0.0.1" };
      const sent = { ...headers, "content-type": "application/json" };
      request({ ...options, headers: sent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.resume().on("end", resolve);
      })
        .on("error", reject)
        .end(body);
    });
  }
}

async function tell(weir: Weir, question: ProbeQuestion): Promise<ProbeAnswer> {
  weir.child.send(question);
  // The probe sends nothing else.
  const [answer] = (await once(weir.child, "message")) as [ProbeAnswer];
  return answer;
}

type Send = (requests: number) => Promise<void>;

/** The probe's counts for some requests. A few requests come before, while the counting begins. */
async function counted(weir: Weir, question: ProbeQuestion, send: Send): Promise<ProbeAnswer> {
  await tell(weir, question);
  await send(20);
  await tell(weir, question);
  await send(countedRequests);
  return tell(weir, question);
}

/** Bytes of heap per request: the median of several lots, because a collection may fall into one. */
async function heapBytes(weir: Weir, send: Send): Promise<number> {
  const lots: number[] = [];
  for (let lot = 0; lot < heapLots; lot += 1) {
    await tell(weir, "heap");
    const before = await tell(weir, "heap");
    await send(heapLotRequests);
    const after = await tell(weir, "heap");
    if (before.about !== "heap" || after.about !== "heap") throw new Error("no heap");
    lots.push((after.usedBytes - before.usedBytes) / heapLotRequests);
  }
  return lots.sort((a, b) => a - b)[(heapLots - 1) / 2] ?? Number.NaN;
}

async function wayOf(weir: Weir, send: Send): Promise<Way> {
  await send(warmUpRequests);
  const heap = await heapBytes(weir, send);
  const promises = await counted(weir, "promises", send);
  const code = await counted(weir, "code", send);
  if (promises.about !== "promises") throw new Error("no promises");
  if (code.about !== "code") throw new Error("no code");
  const { functions } = code;
  const isPackage = (url: string): boolean => url.includes("/node_modules/");
  return {
    own: countsOf(functions, countedRequests, (url) => url.startsWith("file:") && !isPackage(url)),
    packages: countsOf(functions, countedRequests, isPackage),
    promises: promises.promises / countedRequests,
    ticks: promises.ticks / countedRequests,
    heapBytes: heap,
  };
}

/** The requests that are counted: who pays, and the form of the answer. */
export const countedRequestKinds = [
  { name: "own keys, JSON", mode: "ownKeys", kind: "JSON" },
  { name: "pay-through, JSON", mode: "payThrough", kind: "JSON" },
  { name: "own keys, SSE", mode: "ownKeys", kind: "SSE" },
  { name: "pay-through, SSE", mode: "payThrough", kind: "SSE" },
] as const;

export type RequestName = (typeof countedRequestKinds)[number]["name"];

/** The options of `countWays`, besides the program. */
export interface CountOptions {
  /** Node's flags for the gateway, in addition to those of the probe. */
  readonly flags?: readonly string[];
  /** Only these kinds of requests instead of all. */
  readonly only?: readonly RequestName[];
}

/** Starts the program once for each kind of request, and counts what one costs. */
export async function countWays(
  program: string,
  { flags = [], only }: CountOptions = {},
): Promise<Map<RequestName, Way>> {
  const children = new Children();
  const ways = new Map<RequestName, Way>();
  try {
    const provider = await Provider.start(children);
    for (const { name, mode, kind } of countedRequestKinds) {
      if (only?.includes(name) === false) continue;
      // Each kind has a process of its own, so that no other kind has warmed up its code.
      const weir = await startWeir(children, {
        program,
        name: "weir",
        providerPort: provider.port,
        behaviours: [answers[kind]],
        probe: {
          flags: [
            ...flags,
            ...["--import", new URL("./probe.ts", import.meta.url).href, "--expose-gc"],
          ],
          semiSpaceMb: 256,
        },
      });
      ways.set(name, await wayOf(weir, (requests) => ask(weir[mode], kind, requests)));
      agent.destroy();
      await weir.stop();
    }
    return ways;
  } finally {
    agent.destroy();
    await children.close();
  }
}
