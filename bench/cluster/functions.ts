import { randomBytes } from "node:crypto";
import { microUsd } from "../../src/contract/money.ts";
import { SharedFunctions, type FlushedDebit } from "../../src/store/shared/functions.ts";
import { LimitFunctions } from "../../src/store/shared/limit-functions.ts";
import { Link } from "../../src/store/shared/link.ts";
import { cpuMsOf } from "./server.ts";

/** What the functions that a request may wait for take over one connection, as a gateway has it. */
export interface FunctionFigures {
  readonly function: string;
  readonly "p50, ms": string;
  readonly "p99, ms": string;
  /** Of the connection's process, for each debit or grant. */
  readonly "µs of PostgreSQL each": number;
  readonly "each second on one core": number;
}

interface Sample {
  readonly tookMs: readonly number[];
  readonly cpuMs: number;
}

const rich = microUsd(10n ** 12n);
const usage = {
  ...{ uncachedInput: 12, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, outputText: 8 },
  ...{ reasoning: 0, audioInput: 0, audioOutput: 0, imageInput: 0, imageOutput: 0, toolCalls: 0 },
};
/** About those of one request: `request.completed` and the debit's. */
const [eventBytes, leafBytes] = [400, 32];

export class FunctionsBench {
  readonly #link: Link;
  readonly #functions: SharedFunctions;
  readonly #limits: LimitFunctions;
  #gateway = 0;
  #seq = 0;
  #pid = 0;

  constructor(url: string) {
    this.#link = new Link({ url, broken: (error) => console.error(error.message) });
    this.#functions = new SharedFunctions(this.#link);
    this.#limits = new LimitFunctions(this.#link);
  }

  async run(ms: number): Promise<readonly FunctionFigures[]> {
    this.#gateway = await this.#functions.join("bench", "0", "");
    await this.#functions.hello(this.#gateway, 1);
    const text = "SELECT pg_backend_pid() AS reply";
    const { rows } = await this.#link.query({ name: "pid", text, values: [] });
    this.#pid = Number(rows[0]?.reply);
    const figures: FunctionFigures[] = [];
    for (const [debits, orgs] of [
      [1, 1],
      [16, 1],
      [16, 16],
      [200, 1],
      [200, 50],
    ] as const) {
      const name = `flush: debits ${debits}, organizations ${orgs}`;
      figures.push(figuresOf(name, debits, await this.#flushes(debits, orgs, ms)));
    }
    const [org = ""] = await this.#accounts(1);
    const money = (): Promise<unknown> =>
      this.#functions.grantMoney(this.#gateway, 1, org, microUsd(1n), microUsd(1n));
    figures.push(figuresOf("grant of money", 1, await this.#sample(ms, money)));
    const rate = (): Promise<unknown> =>
      this.#limits.grantRate(this.#gateway, 1, "bench", 1, 1, 1_000_000_000);
    figures.push(figuresOf("grant of a rate", 1, await this.#sample(ms, rate)));
    await this.#functions.end(this.#gateway, this.#seq, "left");
    await this.#link.close();
    return figures;
  }

  async #flushes(debitsCount: number, orgsCount: number, ms: number): Promise<Sample> {
    const orgs = await this.#accounts(orgsCount);
    const events = {
      lines: randomBytes(eventBytes * debitsCount),
      leaves: randomBytes(leafBytes * debitsCount),
    };
    return this.#sample(ms, async () => {
      const seq = (this.#seq += 1);
      const debits = Array.from({ length: debitsCount }, (_, i): FlushedDebit => {
        return {
          ...{ orgId: orgs[i % orgs.length] ?? "", requestId: `req_${this.#gateway}_${seq}_${i}` },
          ...{ by: { apiKeyId: "key_0123456789abcdef", team: null }, cost: microUsd(9n) },
          ...{ paid: microUsd(9n), at: new Date().toISOString() },
          detail: { catalogVersion: "0123456789abcdef", usage },
        };
      });
      const parts = { unholds: [], holds: [], debits, returns: [], usage: [], rateReturns: [] };
      const flush = { ...parts, seq, configSeq: 0, events, operations: null };
      const reply = await this.#functions.flush(this.#gateway, flush);
      if (reply.outcome !== "applied" || reply.owed.length + reply.refused.length > 0) {
        throw new Error("the bench's flush was not applied as a whole");
      }
    });
  }

  /** Organizations of whose balances this gateway has enough. */
  async #accounts(count: number): Promise<readonly string[]> {
    const orgs = Array.from({ length: count }, () => `org_${randomBytes(12).toString("hex")}`);
    const bounds = { balanceMax: 4n * rich, debtsMax: 1 };
    for (const org of orgs) {
      await this.#functions.topUp(org, "top_up", microUsd(2n * rich), "first", bounds);
      await this.#functions.grantMoney(this.#gateway, 1, org, rich, rich);
    }
    return orgs;
  }

  /** Calls it one after the other for so long. The first ones, which plan the statements, don't count. */
  async #sample(ms: number, call: () => Promise<unknown>): Promise<Sample> {
    for (let i = 0; i < warmUpCalls; i += 1) await call();
    const cpuBefore = cpuMsOf(this.#pid);
    const tookMs: number[] = [];
    for (const endMs = performance.now() + ms; performance.now() < endMs;) {
      const begunMs = performance.now();
      await call();
      tookMs.push(performance.now() - begunMs);
    }
    return { tookMs: tookMs.sort((a, b) => a - b), cpuMs: cpuMsOf(this.#pid) - cpuBefore };
  }
}

const warmUpCalls = 30;

function figuresOf(name: string, each: number, { tookMs, cpuMs }: Sample): FunctionFigures {
  const at = (share: number): string => (tookMs[Math.floor(tookMs.length * share)] ?? 0).toFixed(2);
  const microseconds = (cpuMs * 1_000) / (tookMs.length * each);
  return {
    function: name,
    "p50, ms": at(0.5),
    "p99, ms": at(0.99),
    "µs of PostgreSQL each": Math.round(microseconds),
    "each second on one core": Math.round(1e6 / microseconds),
  };
}
