import { FileAndThread } from "../../src/store/embedded/journal/file-and-thread.ts";
import { WriteHalt } from "../../src/store/embedded/write-halt.ts";
import { forwardWith, reportWith, scanWith } from "./outside.ts";
import { sendBurst, sendRequest } from "./clients.ts";
import { holdAsJob, pinch } from "./jobs.ts";
import { Operator } from "./operator.ts";
import { replay, SimulatedFile, SimulatedLmdb } from "./simulated-disk.ts";
import { SimulatedGateway } from "./simulated-gateway.ts";
import { standStill } from "./stand-still.ts";
import { textOf } from "./text-of.ts";
import { World } from "./world.ts";

const busyMs = 40_000;
const stepsMax = 100_000;

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
  readonly #world: World;
  readonly #operator: Operator;
  #isStopping = false;

  constructor(seed: number) {
    this.#world = new World(seed);
    this.#operator = new Operator(this.#world);
  }

  async run(): Promise<SimulationResult> {
    const restore = this.#world.time.install();
    const rejected = (error: unknown): void =>
      this.#world.oracle.fail(`rejected: ${textOf(error)}`);
    process.on("unhandledRejection", rejected);
    try {
      await this.#play();
    } catch (error) {
      if (!(error instanceof BrokenBooks)) this.#world.oracle.fail(textOf(error));
    } finally {
      process.off("unhandledRejection", rejected);
      restore();
    }
    const { violations } = this.#world.oracle;
    return {
      seed: this.#world.seed,
      violations,
      trace: this.#world.trace,
      counts: this.#world.counts,
    };
  }

  async #play(): Promise<void> {
    this.#start();
    this.#planTheWorld();
    await this.#until(() => this.#world.time.monotonicMs() > 1_000 + busyMs);
    this.#becomeCalm();
    await this.#until(() => this.#world.gateway !== null && this.#everybodyIsDone());
    for (const orgId of this.#world.organizations)
      this.#operator.plan(orgId, "top_up", 1_000_000_000n);
    await this.#until(() => this.#operator.isDone);
    // Long enough for leases to run out and for the sweeps that see it.
    await this.#pass(100_000);
    const gateway = this.#world.gateway;
    if (gateway === null) throw new Error("no gateway runs at the end");
    let isStopped = false;
    void gateway.stop().then(() => (isStopped = true));
    await this.#until(() => isStopped);
    this.#world.countBooks();
    this.#world.oracle.promisesAreKept(this.#world.durable);
    this.#world.oracle.stateFollowsDebits(this.#world.durable);
    this.#world.oracle.atRest(gateway.ledger, this.#world.disk.readers);
    this.#world.usage.started(gateway.usage, this.#world.durable);
    this.#world.usage.durableStore(this.#world.durable, this.#world.time);
  }

  #planTheWorld(): void {
    const random = this.#world.random;
    const sometime = (what: () => void): void =>
      this.#world.time.after(random.between(0, busyMs), "world", what);
    const times = (count: number, what: () => void): void => {
      for (let i = 0; i < count; i += 1) sometime(what);
    };
    for (const orgId of this.#world.organizations) {
      this.#operator.plan(orgId, "top_up", BigInt(random.integer(1, 600_000)));
      times(random.integer(0, 3), () =>
        this.#operator.plan(orgId, "top_up", BigInt(random.integer(1, 300_000))),
      );
      times(random.integer(0, 1), () =>
        this.#operator.plan(orgId, "correction", BigInt(random.integer(-300_000, 100_000))),
      );
    }
    times(random.integer(1, 6), () => sendBurst(this.#world));
    times(random.integer(0, 20), () => sendRequest(this.#world));
    times(random.integer(0, 6), () => holdAsJob(this.#world));
    times(random.integer(0, 5), () => this.#operator.refund());
    times(random.integer(0, 4), () => pinch(this.#world, () => this.#fillDisk()));
    times(random.integer(0, 10), () => void this.#world.gateway?.ledger.sweep());
    times(this.#world.weather.crashes, () => this.#goDown());
    times(this.#world.weather.fullDisks, () => this.#fillDisk());
    times(this.#world.weather.clockJumps, () => {
      const byMs = random.between(-40, 40) * 86_400_000;
      this.#world.note(`the wall clock jumps by ${byMs} ms`);
      this.#world.time.setWall(byMs);
      this.#world.usage.clockIsSet();
    });
  }

  #becomeCalm(): void {
    this.#world.note("calm");
    this.#world.isCalm = true;
    Object.assign(this.#world.diskFaults, { slow: 0, torn: 0, lostReply: 0, full: false });
    this.#start();
  }

  #start(): void {
    if (this.#world.gateway !== null || this.#isStopping) return;
    this.#world.note("the gateway starts");
    const { time, oracle, durable, disk } = this.#world;
    const replayed = replay(disk);
    if (!replayed.isWhole) oracle.fail("a start has lost what was durable");
    this.#world.count("replayed", replayed.batches);
    const [file, lmdb] = [new SimulatedFile(disk), new SimulatedLmdb(disk)];
    this.#world.gateway = new SimulatedGateway({
      readers: disk.readers,
      durable,
      oracle,
      time,
      random: this.#world.random,
      threads: this.#world.threads,
      writer: new FileAndThread(file, lmdb, new WriteHalt()),
      repeats: () => this.#world.random.chance(this.#world.weather.repeats),
      doubles: () =>
        // A thread that stands still is in the middle of a change already.
        !this.#world.standsStill && this.#world.random.chance(this.#world.weather.doubles),
      forward: forwardWith(this.#world),
      scan: scanWith(this.#world),
      report: reportWith(this.#world),
      standStill: (thread) => standStill(this.#world, thread),
    });
    this.#world.usage.started(this.#world.gateway.usage, durable);
  }

  #goDown(): void {
    const gateway = this.#world.gateway;
    if (this.#world.isCalm) return;
    if (gateway === null || this.#world.random.chance(0.8)) {
      if (gateway !== null || this.#isStopping) this.#crash();
      return;
    }
    this.#world.note("the gateway stops, whatever is in flight");
    this.#world.count("stop");
    this.#world.gateway = null;
    this.#isStopping = true;
    gateway.stop().then(
      () => this.#crash(),
      (error: unknown) => this.#world.oracle.fail(textOf(error)),
    );
  }

  /** All that was in memory is gone, and with it everything that waited for something. */
  #crash(): void {
    this.#world.note("the gateway is gone");
    this.#world.count("crash");
    this.#world.countBooks();
    this.#world.time.forget("process");
    this.#world.gateway = null;
    this.#isStopping = false;
    this.#world.oracle.forgetProcess();
    this.#world.oracle.promisesAreKept(this.#world.durable);
    this.#world.oracle.stateFollowsDebits(this.#world.durable);
    this.#world.usage.durableStore(this.#world.durable, this.#world.time);
    this.#world.time.after(this.#world.random.between(0, 3_000), "world", () => this.#start());
  }

  #fillDisk(): void {
    if (this.#world.isCalm) return;
    this.#world.note("the disk is full");
    this.#world.count("full disk");
    this.#world.diskFaults.full = true;
    // Whoever is owed something tries meanwhile too.
    for (let sweeps = 0; sweeps < 8; sweeps += 1) {
      const afterMs = this.#world.random.between(0, 20_000);
      this.#world.time.after(afterMs, "world", () => void this.#world.gateway?.ledger.sweep());
    }
    const isLong = this.#world.random.chance(0.3);
    this.#world.time.after(this.#world.random.between(10, isLong ? 40_000 : 4_000), "world", () => {
      this.#world.note("the disk has room");
      this.#world.diskFaults.full = false;
    });
  }

  async #pass(ms: number): Promise<void> {
    const until = this.#world.time.monotonicMs() + ms;
    await this.#until(() => this.#world.time.monotonicMs() >= until);
  }

  async #until(isSo: () => boolean): Promise<void> {
    // What was called between two events is no part of the next one.
    await this.#world.time.settle();
    for (let steps = 0; !isSo(); steps += 1) {
      if (steps > stepsMax) throw new Error("the world does not come to rest");
      await this.#world.time.step();
      const { oracle, durable, time } = this.#world;
      if (this.#world.gateway === null) oracle.durableStore(durable);
      else {
        const { ledger, books } = this.#world.gateway;
        oracle.afterStep(ledger, books, durable, time.monotonicMs());
      }
      this.#world.count("steps");
      if (oracle.violations.length > 0) throw new BrokenBooks();
    }
  }

  #everybodyIsDone(): boolean {
    return [...this.#world.oracle.holders.values()].every(({ endedMs }) => endedMs !== null);
  }
}

/** Ends a simulation; the oracle knows why. */
class BrokenBooks extends Error {}
