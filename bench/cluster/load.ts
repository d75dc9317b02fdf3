import { Agent, request as httpRequest } from "node:http";
import { cpuMs, ProcessTree } from "../macro/process-tree.ts";
import { cpuMsOf, type BenchDatabase } from "./server.ts";

/** Gateways that are asked in turn. */
export interface Subject {
  readonly name: string;
  readonly origins: readonly string[];
  readonly secret: string;
  readonly pids: readonly number[];
}

export interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** Of all threads of the gateways. */
  readonly cpuMs: number;
  /** Of the gateways' event loops. */
  readonly loopMs: number;
  /** Of PostgreSQL. */
  readonly serverMs: number;
}

const question = JSON.stringify({
  model: "demo/echo",
  max_tokens: 10,
  messages: [{ role: "user", content: "What is the capital of France?" }],
});

/** Pay-through requests with JSON answers, over connections that are kept. */
export class Load {
  readonly #database: BenchDatabase;

  constructor(database: BenchDatabase) {
    this.#database = database;
  }

  /** Asks for so long. Throws if a request is refused. */
  async measure(subject: Subject, connections: number, ms: number): Promise<Measured> {
    const { pids } = subject;
    const trees = pids.map((pid) => new ProcessTree(pid));
    const before = trees.map((tree) => tree.threads());
    const loopMs = (): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
    const [loopBefore, serverBefore] = [loopMs(), this.#database.cpuMs()];
    const took = await this.#ask(subject, connections, ms);
    return {
      p50Ms: took[Math.floor(took.length * 0.5)] ?? 0,
      p99Ms: took[Math.floor(took.length * 0.99)] ?? 0,
      requests: took.length,
      cpuMs: trees.reduce((sum, tree, i) => {
        return sum + cpuMs(before[i] ?? new Map<number, number>(), tree.threads());
      }, 0),
      loopMs: loopMs() - loopBefore,
      serverMs: this.#database.cpuMs() - serverBefore,
    };
  }

  /** How long each request took, in milliseconds, sorted. */
  async #ask(subject: Subject, connections: number, ms: number): Promise<readonly number[]> {
    // A gateway closes connections that were idle while others were asked.
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const endMs = performance.now() + ms;
    const took: number[] = [];
    let next = 0;
    const ask = async (): Promise<void> => {
      while (performance.now() < endMs) {
        const begunMs = performance.now();
        const origin = subject.origins[(next += 1) % subject.origins.length] ?? "";
        const status = await post(agent, origin, subject.secret);
        if (status !== 200) throw new Error(`${subject.name} answered ${status}`);
        took.push(performance.now() - begunMs);
      }
    };
    await Promise.all(Array.from({ length: connections }, ask));
    agent.destroy();
    return took.sort((one, other) => one - other);
  }
}

function post(agent: Agent, origin: string, secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const url = `${origin}/v1/chat/completions`;
    const request = httpRequest(url, { agent, method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(question);
  });
}
