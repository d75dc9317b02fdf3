import { refuse } from "../../src/contract/errors.ts";
import { microUsd } from "../../src/contract/money.ts";
import { accept } from "../../src/contract/outcome.ts";
import type { Wire } from "../../src/contract/wire.ts";
import { header, type FlatHeaders, type Forward } from "../../src/pipeline/exchange.ts";
import { gateway } from "../../src/pipeline/gateway.ts";
import type { PaidScanServices } from "../../src/pipeline/paid-scan.ts";
import { securityScan } from "../../src/pipeline/scan.ts";
import type { Scan } from "../../src/pipeline/screen.ts";
import { planAnswer } from "./answers.ts";
import { MemoryStore } from "./memory-store.ts";
import { Oracle, type Holder } from "./oracle.ts";
import { Random } from "./random.ts";
import { SimulatedDisk, type DiskFaults } from "./simulated-disk.ts";
import { SimulatedExchange } from "./simulated-exchange.ts";
import { scanMicroUsd, scanTokensMin, SimulatedGateway } from "./simulated-gateway.ts";
import { forwardTo } from "./simulated-provider.ts";
import { VirtualTime } from "./virtual-time.ts";

/** How hostile one seed's world is: probabilities. */
interface Weather {
  /** Of each kind of failure of a provider, and of the detectors. */
  readonly failures: number;
  /** Of answers that cost more than their hold. */
  readonly excess: number;
  readonly clientLeaves: number;
  readonly repeats: number;
  /** Crashes and stops, in the time in which requests come. */
  readonly crashes: number;
  readonly fullDisks: number;
  readonly clockJumps: number;
}

/** A client's order to the operator: sent again, at times with another amount, until it is answered. */
interface PlannedTopUp {
  readonly orgId: string;
  readonly idempotencyKey: string;
  readonly type: "top_up" | "correction";
  readonly amount: bigint;
  answered: boolean;
}

const busyMs = 40_000;
const stepsMax = 100_000;
const tracedLines = 60;

/** What came of one seed; `violations` is empty where all held. */
export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly string[];
  /** The last things that happened. */
  readonly trace: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Runs one seed: the same seed does the same things in the same order. */
export function simulate(seed: number): Promise<SimulationResult> {
  return new Simulation(seed).run();
}

class Simulation {
  readonly #seed: number;
  readonly #random: Random;
  readonly #time = new VirtualTime();
  readonly #oracle = new Oracle();
  readonly #durable: MemoryStore;
  readonly #diskFaults: DiskFaults;
  readonly #weather: Weather;
  readonly #organizations: readonly string[];
  readonly #topUps: PlannedTopUp[] = [];
  readonly #trace: string[] = [];
  readonly #counts: Record<string, number> = {};
  /** null while none runs, or the one that runs is stopping. */
  #gateway: SimulatedGateway | null = null;
  #isStopping = false;
  #requests = 0;
  #isCalm = false;

  constructor(seed: number) {
    this.#seed = seed;
    const random = new Random(seed);
    this.#random = random;
    this.#durable = new MemoryStore(this.#oracle.fail);
    const rarely = (most: number): number => (random.chance(0.5) ? 0 : random.between(0, most));
    this.#diskFaults = {
      slow: rarely(0.1),
      torn: rarely(0.1),
      lostReply: rarely(0.1),
      full: false,
    };
    this.#weather = {
      failures: rarely(0.2),
      excess: rarely(0.5),
      clientLeaves: rarely(0.5),
      repeats: rarely(0.3),
      crashes: random.integer(0, 4),
      fullDisks: random.chance(0.3) ? random.integer(1, 2) : 0,
      clockJumps: random.chance(0.3) ? random.integer(1, 4) : 0,
    };
    this.#organizations = Array.from({ length: random.integer(1, 3) }, (_, i) => `org-${i + 1}`);
  }

  async run(): Promise<SimulationResult> {
    const restore = this.#time.install();
    const rejected = (error: unknown): void => this.#oracle.fail(`rejected: ${textOf(error)}`);
    process.on("unhandledRejection", rejected);
    try {
      await this.#play();
    } catch (error) {
      if (!(error instanceof BrokenBooks)) this.#oracle.fail(textOf(error));
    } finally {
      process.off("unhandledRejection", rejected);
      restore();
    }
    const { violations } = this.#oracle;
    return { seed: this.#seed, violations, trace: this.#trace, counts: this.#counts };
  }

  async #play(): Promise<void> {
    this.#start();
    this.#planTheWorld();
    await this.#until(() => this.#time.monotonicMs() > 1_000 + busyMs);
    this.#becomeCalm();
    await this.#until(() => this.#gateway !== null && this.#everybodyIsDone());
    for (const orgId of this.#organizations) this.#planTopUp(orgId, "top_up", 1_000_000_000n);
    await this.#until(() => this.#topUps.every(({ answered }) => answered));
    // Long enough for leases to run out and for the sweeps that see it.
    await this.#pass(100_000);
    const gateway = this.#gateway;
    if (gateway === null) throw new Error("no gateway runs at the end");
    let isStopped = false;
    void gateway.stop().then(() => (isStopped = true));
    await this.#until(() => isStopped);
    this.#countBooks();
    this.#oracle.promisesAreKept(this.#durable);
    this.#oracle.atRest(gateway.ledger, this.#durable);
  }

  #planTheWorld(): void {
    const random = this.#random;
    const sometime = (what: () => void): void =>
      this.#time.after(random.between(0, busyMs), "world", what);
    const times = (count: number, what: () => void): void => {
      for (let i = 0; i < count; i += 1) sometime(what);
    };
    for (const orgId of this.#organizations) {
      this.#planTopUp(orgId, "top_up", BigInt(random.integer(1, 600_000)));
      times(random.integer(0, 3), () =>
        this.#planTopUp(orgId, "top_up", BigInt(random.integer(1, 300_000))),
      );
      times(random.integer(0, 1), () =>
        this.#planTopUp(orgId, "correction", BigInt(random.integer(-300_000, 100_000))),
      );
    }
    times(random.integer(1, 6), () => this.#burst());
    times(random.integer(0, 20), () => this.#request());
    times(random.integer(0, 6), () => this.#job());
    times(random.integer(0, 4), () => this.#pinch());
    times(random.integer(0, 10), () => void this.#gateway?.ledger.sweep());
    times(this.#weather.crashes, () => this.#goDown());
    times(this.#weather.fullDisks, () => this.#fillDisk());
    times(this.#weather.clockJumps, () => {
      const byMs = random.between(-40, 40) * 86_400_000;
      this.#note(`the wall clock jumps by ${byMs} ms`);
      this.#time.setWall(byMs);
    });
  }

  /** Many at once, so that they compete for one balance. */
  #burst(): void {
    const count = this.#random.integer(2, 25);
    for (let i = 0; i < count; i += 1) {
      this.#time.after(this.#random.between(0, 30), "world", () => this.#request());
    }
  }

  #becomeCalm(): void {
    this.#note("calm");
    this.#isCalm = true;
    Object.assign(this.#diskFaults, { slow: 0, torn: 0, lostReply: 0, full: false });
    this.#start();
  }

  #start(): void {
    if (this.#gateway !== null || this.#isStopping) return;
    this.#note("the gateway starts");
    const { time, oracle, durable } = this.#around();
    this.#gateway = new SimulatedGateway({
      durable,
      oracle,
      time,
      writer: new SimulatedDisk(durable, this.#diskFaults, this.#random, time),
      repeats: () => this.#random.chance(this.#weather.repeats),
      forward: this.#forward,
      scan: this.#scan,
      report: this.#report,
    });
  }

  #goDown(): void {
    const gateway = this.#gateway;
    if (this.#isCalm) return;
    if (gateway === null || this.#random.chance(0.8)) {
      if (gateway !== null || this.#isStopping) this.#crash();
      return;
    }
    this.#note("the gateway stops, whatever is in flight");
    this.#count("stop");
    this.#gateway = null;
    this.#isStopping = true;
    gateway.stop().then(
      () => this.#crash(),
      (error: unknown) => this.#oracle.fail(textOf(error)),
    );
  }

  /** All that was in memory is gone, and with it everything that waited for something. */
  #crash(): void {
    this.#note("the gateway is gone");
    this.#count("crash");
    this.#countBooks();
    this.#time.forget("process");
    this.#gateway = null;
    this.#isStopping = false;
    this.#oracle.forgetProcess();
    this.#oracle.promisesAreKept(this.#durable);
    this.#time.after(this.#random.between(0, 3_000), "world", () => this.#start());
  }

  #fillDisk(): void {
    if (this.#isCalm) return;
    this.#note("the disk is full");
    this.#count("full disk");
    this.#diskFaults.full = true;
    // Whoever is owed something tries meanwhile too.
    for (let sweeps = 0; sweeps < 8; sweeps += 1) {
      const afterMs = this.#random.between(0, 20_000);
      this.#time.after(afterMs, "world", () => void this.#gateway?.ledger.sweep());
    }
    const isLong = this.#random.chance(0.3);
    this.#time.after(this.#random.between(10, isLong ? 40_000 : 4_000), "world", () => {
      this.#note("the disk has room");
      this.#diskFaults.full = false;
    });
  }

  /** A client's request, of any kind. */
  #request(): void {
    const gateway_ = this.#gateway;
    if (gateway_ === null || this.#isCalm) return;
    const random = this.#random;
    const orgId = this.#anyOrganization();
    const requestId = this.#newId(orgId);
    const kind = random.pick("chat", "chat", "messages", "scan");
    const [path, body] = kind === "scan" ? this.#scanRequest(requestId) : this.#modelRequest(kind);
    const request = { requestId, secret: `sk-gw-${orgId}`, path, body };
    const exchange = new SimulatedExchange(request, random, this.#time, (headers) =>
      this.#answered(orgId, requestId, exchange.status, headers),
    );
    this.#note(`${requestId} asks ${path} ${body.slice(0, 60)}`);
    if (random.chance(this.#weather.clientLeaves)) {
      this.#time.after(random.between(0, 600), "process", () => exchange.leave());
    }
    const holder = this.#holder(requestId, "request");
    const served =
      kind === "scan"
        ? securityScan(exchange, gateway_.scanServices)
        : gateway(exchange, gateway_.services);
    served.then(
      () => {
        holder.endedMs = this.#time.monotonicMs();
        this.#note(`${requestId} is over: ${exchange.status} ${exchange.state}`);
        this.#oracle.finished(gateway_.appended, orgId, requestId);
      },
      (error: unknown) => this.#oracle.fail(`${requestId} threw ${textOf(error)}`),
    );
  }

  #modelRequest(wire: Wire): readonly [path: string, body: string] {
    const random = this.#random;
    const path = wire === "chat" ? "/v1/chat/completions" : "/v1/messages";
    const body = {
      max_tokens: random.integer(1, 3_000),
      stream: random.chance(0.5),
      model: random.pick("p/m", "m"),
      messages: [{ role: "user", content: "a".repeat(random.integer(1, 60)) }],
    };
    return [path, JSON.stringify(body)];
  }

  /** Its text begins with its id, for a scan's job does not tell whose it is. */
  #scanRequest(requestId: string): readonly [path: string, body: string] {
    const input = `${requestId}|${"a".repeat(this.#random.integer(1, 500))}`;
    const isWrong = this.#random.chance(this.#weather.failures);
    const patterns = [{ name: "a", regex: "(", direction: "both", action: "flag" }];
    const body = isWrong ? { input, custom_patterns: patterns } : { input };
    return ["/v1/security/scan", JSON.stringify(body)];
  }

  #answered(orgId: string, requestId: string, status: number, headers: FlatHeaders): void {
    const named = (name: string): string | undefined =>
      header(
        headers.map((text, i) => (i % 2 === 0 ? text.toLowerCase() : text)),
        name,
      );
    const debited = named("x-svc-payg-debited-cents");
    const cost = named("x-svc-cost-usd");
    this.#note(`${requestId} is answered ${status}, cost ${cost}, debited ${debited}`);
    this.#count(`status ${status}`);
    if (debited !== undefined) {
      this.#count("promised");
      this.#oracle.answered(this.#durable, orgId, requestId);
    } else if (cost !== undefined) this.#count("not promised");
    const charge = this.#oracle.charges.get(requestId);
    if (cost !== undefined && Math.round(Number(cost) * 1e6) !== Number(charge ?? 0n)) {
      this.#oracle.fail(`${requestId} is told ${cost}, the provider charged ${charge}`);
    }
  }

  readonly #forward: Forward = (call, plan, exchange) => {
    const { requestId } = exchange;
    const body = JSON.parse(Buffer.concat(call.body).toString()) as {
      readonly max_tokens: number;
      readonly stream: boolean;
    };
    const { failures, excess } = this.#weather;
    const answer = planAnswer(
      {
        wire: plan.wire ?? "chat",
        stream: body.stream,
        outputTokensMax: body.max_tokens,
        failures: this.#isCalm ? 0 : failures,
        excess,
      },
      this.#random,
    );
    return forwardTo(answer, { call, plan, exchange }, this.#random, this.#time, (charge) => {
      this.#note(`${requestId}: the provider charges ${charge}`);
      this.#oracle.charges.set(requestId, BigInt(charge));
    });
  };

  readonly #scan: Scan = async () => {
    await this.#time.sleep(this.#random.between(0, 3), "process");
    const fails = this.#random.chance(this.#weather.failures);
    if (fails) return refuse("detector_unavailable", "A simulated detector failed.");
    const isBlocked = this.#random.chance(this.#weather.failures);
    return accept({
      kind: "verdict",
      injection: isBlocked ? block : allow,
      leaves: 1,
      worst: null,
    });
  };

  readonly #report: PaidScanServices["report"] = async ({ bytes }) => {
    await this.#time.sleep(this.#random.between(0, 30), "process");
    const fails = this.#random.chance(this.#weather.failures);
    if (fails) return refuse("detector_unavailable", "A simulated detector failed.");
    const tokens = this.#random.integer(0, bytes.length);
    const [requestId = ""] = String(JSON.parse(Buffer.from(bytes).toString())).split("|");
    const charge = Math.max(tokens, scanTokensMin) * scanMicroUsd;
    this.#note(`${requestId}: the scan costs ${charge}`);
    this.#oracle.charges.set(requestId, BigInt(charge));
    return accept({
      kind: "report",
      input_tokens: tokens,
      billable_tokens: tokens,
      scanned: { spans: [], unscanned: [] },
      injection: allow,
      entities: null,
      detections: [],
      redactedJson: null,
    });
  };

  /** Somebody who holds money by himself, may settle twice or late, and may forget to. */
  #job(): void {
    const random = this.#random;
    const orgId = this.#anyOrganization();
    const job = this.#holdMoney(orgId, BigInt(random.integer(0, 100_000)));
    if (job === null) return;
    const cost = BigInt(random.integer(0, 150_000));
    const wait = random.chance(0.5) ? 1_000 : 100_000;
    const end = random.pick("settle", "release", "forget");
    this.#time.after(random.between(0, wait), "process", () => {
      if (end === "release") return job.release();
      job.forget();
      // Some settle when their lease is over: they have forgotten for a while.
      const lateMs = random.chance(0.3) ? random.between(0, 90_000) : 0;
      if (end === "settle") this.#time.after(lateMs, "process", () => job.settle(cost));
    });
  }

  /** One owes what another one holds, and could pay it as soon as that is given back. */
  #pinch(): void {
    const random = this.#random;
    const orgId = this.#anyOrganization();
    const available = this.#gateway?.ledger.balance(orgId)?.available ?? 0n;
    if (available < 30_000n) return;
    const greedy = this.#holdMoney(orgId, available - 20_000n);
    this.#holdMoney(orgId, 0n)?.settle(available / 2n);
    this.#time.after(random.between(0, 6_000), "process", () => greedy?.release());
    if (random.chance(0.3)) {
      this.#time.after(random.between(0, 6_000), "world", () => this.#fillDisk());
    }
  }

  #holdMoney(orgId: string, estimate: bigint) {
    const gateway_ = this.#gateway;
    if (gateway_ === null || this.#isCalm) return null;
    const { ledger } = gateway_;
    const requestId = this.#newId(orgId);
    const holder = this.#holder(requestId, "job");
    const isLive = (): boolean => holder.endedMs === null;
    const held = ledger.hold({ requestId, orgId, estimate: microUsd(estimate), isLive });
    this.#note(`${requestId} holds ${estimate}: ${held.ok}`);
    const forget = (): void => {
      holder.endedMs = this.#time.monotonicMs();
    };
    if (!held.ok) {
      forget();
      return null;
    }
    return {
      forget,
      release: (): void => {
        forget();
        this.#note(`${requestId} gives its money back`);
        ledger.release(held.value, []);
      },
      settle: (cost: bigint): void => {
        forget();
        this.#note(`${requestId} settles for ${cost}`);
        this.#oracle.charges.set(requestId, cost);
        const charge = { cost: microUsd(cost), catalogVersion: null, usage: null };
        const settlement = ledger.settle(held.value, charge, []);
        const afterMs = this.#random.between(0, 10);
        this.#time.after(afterMs, "process", () => void settlement.durable());
        this.#oracle.finished(gateway_.appended, orgId, requestId);
      },
    };
  }

  #planTopUp(orgId: string, type: "top_up" | "correction", amount: bigint): void {
    const idempotencyKey = `${type}-${this.#topUps.length}`;
    const planned = { orgId, idempotencyKey, type, amount, answered: false };
    this.#topUps.push(planned);
    this.#sendTopUp(planned);
  }

  #sendTopUp(planned: PlannedTopUp): void {
    const random = this.#random;
    const { orgId, idempotencyKey, type } = planned;
    const hasOtherAmount = !this.#isCalm && random.chance(0.1);
    const amount = microUsd(planned.amount + (hasOtherAmount ? 1n : 0n));
    const sendsAgain = !planned.answered || random.chance(0.3);
    if (!sendsAgain) return;
    // While the first is on its way too.
    this.#time.after(random.between(0, 3_000), "world", () => this.#sendTopUp(planned));
    if (this.#gateway === null) return;
    this.#note(`${orgId} ${idempotencyKey} of ${amount} is sent`);
    this.#gateway.ledger.topUp({ orgId, type, amount, idempotencyKey }).then(
      (entered) => {
        const code = entered.ok ? "entered" : entered.refusal.code;
        this.#note(`${orgId} ${idempotencyKey} is answered: ${code}`);
        if (code !== "internal_error") planned.answered = true;
        if (code === "invalid_request" && amount >= 0n) this.#oracle.fail("a top-up is too large");
      },
      (error: unknown) => this.#oracle.fail(textOf(error)),
    );
  }

  async #pass(ms: number): Promise<void> {
    const until = this.#time.monotonicMs() + ms;
    await this.#until(() => this.#time.monotonicMs() >= until);
  }

  async #until(isSo: () => boolean): Promise<void> {
    for (let steps = 0; !isSo(); steps += 1) {
      if (steps > stepsMax) throw new Error("the world does not come to rest");
      await this.#time.step();
      const { oracle, durable, time } = this.#around();
      if (this.#gateway === null) oracle.durableStore(durable);
      else {
        const { ledger, appended } = this.#gateway;
        oracle.afterStep(ledger, appended, durable, time.monotonicMs());
      }
      this.#count("steps");
      if (oracle.violations.length > 0) throw new BrokenBooks();
    }
  }

  #everybodyIsDone(): boolean {
    return [...this.#oracle.holders.values()].every(({ endedMs }) => endedMs !== null);
  }

  #around() {
    return { time: this.#time, oracle: this.#oracle, durable: this.#durable };
  }

  #holder(requestId: string, kind: Holder["kind"]): Holder {
    const holder: Holder = { kind, endedMs: null };
    this.#oracle.holders.set(requestId, holder);
    this.#count(kind);
    return holder;
  }

  #anyOrganization(): string {
    return this.#organizations[this.#random.integer(0, this.#organizations.length - 1)] ?? "";
  }

  #newId(orgId: string): string {
    this.#requests += 1;
    return `${orgId} r-${String(this.#requests).padStart(4, "0")}`;
  }

  #countBooks(): void {
    if (this.#gateway === null) return;
    const { owed, recovered, outcomeUnknown, expired } = this.#gateway.ledger.counts;
    this.#count("owed", owed);
    this.#count("recovered", recovered);
    this.#count("outcome unknown", outcomeUnknown);
    this.#count("expired", expired);
  }

  #count(what: string, times = 1): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + times;
  }

  #note(what: string): void {
    this.#trace.push(`${this.#time.monotonicMs().toFixed(2)} ${what}`);
    if (this.#trace.length > tracedLines) this.#trace.shift();
  }
}

/** Ends a simulation; the oracle knows why. */
class BrokenBooks extends Error {}

const allow = { verdict: "allow", score: 0, reason_code: "below_strict_threshold" } as const;
const block = { verdict: "block", score: 1, reason_code: "at_or_above_selected" } as const;

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
