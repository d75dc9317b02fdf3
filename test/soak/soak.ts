import { rmSync } from "node:fs";
import { Agent } from "node:http";
import { takeTurns, type TurnsView } from "../../bench/turns/turns.ts";
import { Random } from "../sim/random.ts";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { activities, type Activity } from "./activities.ts";
import { squareBooks, type Books } from "./books.ts";
import type { Client, Secrets } from "./client.ts";
import { Operator } from "./operator.ts";
import { canView, handleCount, viewProcess, type ProcessView } from "./process-view.ts";
import { operatorKey, soakConfig } from "./soak-config.ts";
import { SoakProviders } from "./soak-provider.ts";
import { inBins, theilSen, type Sample, type Slope } from "./theil-sen.ts";
import { askOver } from "./wire-client.ts";
import { Witness } from "./witness.ts";

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** About how many requests the clients send a second, all together. */
  readonly requestsPerSecond: number;
  /** Proxy threads of the gateway; absent: as many as it starts by itself. */
  readonly threads?: number;
  /** Told of each sample, for who watches. */
  readonly progress?: (sentence: string) => void;
}

export interface SoakReport {
  readonly witness: Witness;
  readonly books: Books;
  readonly rotations: number;
  /** Of the process when it rested before the load, and when it rested again. null: no `/proc` here. */
  readonly before: ProcessView | null;
  readonly after: ProcessView | null;
  /** Bytes a minute, of the second half of the run; null where it was too short to tell. */
  readonly anonymousSlope: Slope | null;
  readonly residentSlope: Slope | null;
  readonly anonymousPeakBytes: number;
  /** Of the main thread, under load. null: they are measured on Linux alone. */
  readonly turns: TurnsView | null;
  /** Gauges that should be 0 when nothing is going on, and are not. */
  readonly unsettled: readonly string[];
  readonly exitCode: number | null;
}

const clients = 24;
const sampleMs = 2_000;
const tendMs = 5_000;
const binMinutes = 0.5;
/** Of the run; caches and heaps fill meanwhile. */
const warmUpShare = 0.3;
/** Longer than a connection is kept that nobody uses, to the gateway and from it. */
const idleConnectionMs = 11_000;
const restMsMax = 40_000;

/** Runs a mixed load against the built gateway in a process of its own, and looks at what is left. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { providers, originOf } = await SoakProviders.start(options.seed);
  const gateway = await startProcess({
    config: soakConfig(originOf),
    probed: canView,
    env: {
      GATEWAY_OPERATOR_KEY: operatorKey,
      GATEWAY_LOG_LEVEL: "error",
      // An exchange that never ends would hold up the end for ten minutes.
      GATEWAY_DRAIN_SECONDS: "10",
      ...(options.threads === undefined ? {} : { GATEWAY_PROXY_THREADS: String(options.threads) }),
    },
  });
  try {
    const run = new Run(options, gateway, providers, originOf("unpaid"));
    return await run.whole();
  } finally {
    gateway.child.kill("SIGKILL");
    await gateway.exit;
    await providers.close();
    rmSync(gateway.folder, { recursive: true, force: true });
  }
}

class Run {
  readonly #options: SoakOptions;
  readonly #gateway: GatewayProcess;
  readonly #providers: SoakProviders;
  readonly #ownUpstream: string;
  readonly #operator: Operator;
  readonly #witness = new Witness();
  readonly #resident: Sample[] = [];
  readonly #anonymous: Sample[] = [];

  constructor(
    options: SoakOptions,
    gateway: GatewayProcess,
    providers: SoakProviders,
    ownUpstream: string,
  ) {
    this.#options = options;
    this.#gateway = gateway;
    this.#providers = providers;
    this.#ownUpstream = ownUpstream;
    this.#operator = new Operator(gateway);
  }

  async whole(): Promise<SoakReport> {
    const { organizations, secrets } = await this.#operator.setUp();
    await this.#rehearse(secrets);
    await passed(idleConnectionMs);
    // As at the end, with the connection over which the gauges are read.
    await this.#rested();
    const before = this.#view();
    await this.#turns();
    const agent = new Agent({ keepAlive: true });
    const endMs = performance.now() + this.#options.minutes * 60_000;
    const isOver = (): boolean => performance.now() >= endMs;
    let round = 0;
    const tending = setInterval(() => {
      this.#operator.tend(organizations, secrets, ++round).catch((error: unknown) => {
        this.#witness.fault(`tending: ${String(error)}`);
      });
    }, tendMs);
    const sampling = setInterval(() => this.#sample(endMs), sampleMs);
    await Promise.all(
      Array.from({ length: clients }, (_, i) => this.#client(i, secrets, agent, isOver)),
    );
    clearInterval(tending);
    clearInterval(sampling);
    agent.destroy();
    const turns = await this.#turns();
    const unsettled = await this.#rested(before);
    const after = this.#view();
    const books = await squareBooks(this.#operator, organizations, this.#providers, this.#witness);
    this.#gateway.child.kill("SIGTERM");
    const exitCode = await this.#gateway.exit;
    return {
      witness: this.#witness,
      books,
      rotations: this.#operator.rotations,
      before,
      after,
      anonymousSlope: this.#slope(this.#anonymous),
      residentSlope: this.#slope(this.#resident),
      anonymousPeakBytes: Math.max(0, ...this.#anonymous.map(({ value }) => value)),
      turns,
      unsettled,
      exitCode,
    };
  }

  /** Those since the last call. */
  async #turns(): Promise<TurnsView | null> {
    return canView ? takeTurns(this.#gateway.child) : null;
  }

  /** Each activity once: what is made when first needed is there before anything is counted. */
  async #rehearse(secrets: Secrets): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    const client = this.#clientOf(new Random(this.#options.seed), secrets, agent);
    for (const { run } of activities) await run(client);
    agent.destroy();
  }

  async #client(i: number, secrets: Secrets, agent: Agent, isOver: () => boolean): Promise<void> {
    const random = new Random(this.#options.seed * 1_000 + i);
    const client = this.#clientOf(random, secrets, agent);
    const meanPauseMs = (clients * 1_000) / this.#options.requestsPerSecond;
    while (!isOver()) {
      const chosen = choose(random);
      const begun = performance.now();
      try {
        await chosen.run(client);
      } catch (error) {
        this.#witness.fault(`${chosen.name}: ${String(error)}`);
      }
      const tookMs = performance.now() - begun;
      await passed(Math.max(0, random.between(0, 2 * meanPauseMs) - tookMs));
    }
  }

  #clientOf(random: Random, secrets: Secrets, agent: Agent): Client {
    const { url } = this.#gateway;
    const ownUpstream = this.#ownUpstream;
    const ask: Client["ask"] = (ask) => askOver(agent, url, ask);
    return { random, secrets, witness: this.#witness, ownUpstream, ask };
  }

  #view(): ProcessView | null {
    return canView ? viewProcess(this.#gateway.pid) : null;
  }

  #sample(endMs: number): void {
    const view = this.#view();
    if (view === null) return;
    const at = this.#options.minutes + (performance.now() - endMs) / 60_000;
    this.#resident.push({ at, value: view.residentBytes });
    this.#anonymous.push({ at, value: view.anonymousBytes });
    const { requests } = this.#witness;
    this.#options.progress?.(
      `${at.toFixed(2)} min: ${requests} requests, ${mb(view.anonymousBytes)} MB of its own, ` +
        `${mb(view.residentBytes)} MB resident, ${handleCount(view)} handles, ${view.threads} threads`,
    );
  }

  /**
   * Waits until the gauges say that nothing is going on and there are no more handles than `before`;
   * after a while says what is still not so.
   */
  async #rested(before: ProcessView | null = null): Promise<readonly string[]> {
    const deadline = performance.now() + restMsMax;
    for (;;) {
      const metrics = await this.#operator.metrics();
      const unsettled = restingGauges
        .filter((name) => metrics.get(name) !== 0)
        .map((name) => `${name} is ${metrics.get(name)}`);
      const now = this.#view();
      const isMore = before !== null && now !== null && handleCount(now) > handleCount(before);
      if (isMore) unsettled.push(`handles: ${handlesText(now)}, before: ${handlesText(before)}`);
      if (unsettled.length === 0 || performance.now() > deadline) return unsettled;
      await passed(500);
    }
  }

  #slope(samples: readonly Sample[]): Slope | null {
    const from = this.#options.minutes * warmUpShare;
    return theilSen(
      inBins(
        samples.filter(({ at }) => at >= from),
        binMinutes,
      ),
    );
  }
}

/** Are 0 when nothing is going on; so is what should never happen. */
const restingGauges = [
  "weir_open_exchanges",
  "weir_scans_queued",
  "weir_batch_items_open",
  "weir_body_budget_used_bytes",
  "weir_payg_holds",
  "weir_payg_holds_expired",
  "weir_payg_outcome_unknown",
  "weir_payg_debits_skipped",
  "weir_journal_pending_bytes",
  "weir_content_pending_bytes",
];

const totalWeight = activities.reduce((sum, { weight }) => sum + weight, 0);

function choose(random: Random): Activity {
  let left = random.between(0, totalWeight);
  const chosen = activities.find(({ weight }) => (left -= weight) < 0);
  return chosen ?? activities[0] ?? { name: "nothing", weight: 0, run: () => Promise.resolve() };
}

function handlesText({ handles, threads }: ProcessView): string {
  return JSON.stringify({ ...handles, threads });
}

export function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
