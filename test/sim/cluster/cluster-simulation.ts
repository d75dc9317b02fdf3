import type { RowChange } from "../../../src/store/embedded/store-draft.ts";
import { textOf } from "../text-of.ts";
import { ClusterWorld, type ClusterNode } from "./cluster-world.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { probe } from "./probe.ts";

const busyMs = 70_000;
/** Longer than a fence, and than the minute for which an ended gateway's rates are kept. */
const quietMs = 130_000;
const stepsMax = 400_000;

/** What came of one seed; `violations` is empty where all held. */
export interface ClusterResult {
  readonly seed: number;
  readonly violations: readonly string[];
  /** The last things that happened. */
  readonly trace: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** The same for the same seed. */
  readonly hash: string;
}

/** Runs one seed: the same seed does the same things in the same order. `gateways` null: the seed decides, 2 to 4. */
export function simulateCluster(
  seed: number,
  gateways: number | null = null,
): Promise<ClusterResult> {
  return new ClusterSimulation(seed, gateways).run();
}

class ClusterSimulation {
  readonly #world: ClusterWorld;
  constructor(seed: number, gateways: number | null) {
    this.#world = new ClusterWorld(seed, gateways);
  }

  async run(): Promise<ClusterResult> {
    const { time, oracle, counts, trace, seed } = this.#world;
    const restore = time.install();
    const rejected = (error: unknown): void => oracle.fail(`rejected: ${textOf(error)}`);
    process.on("unhandledRejection", rejected);
    try {
      await this.#play();
    } catch (error) {
      if (!(error instanceof Broken)) oracle.fail(textOf(error));
    } finally {
      process.off("unhandledRejection", rejected);
      restore();
    }
    this.#world.count("steps", time.steps);
    const hash = `${this.#world.hash >>> 0} ${time.steps}`;
    return { seed, violations: oracle.violations, trace, counts, hash };
  }

  async #play(): Promise<void> {
    const { nodes, organizations, clients, random, oracle } = this.#world;
    for (const node of nodes) this.#start(node);
    for (const orgId of organizations) {
      clients.operate(orgId, "top_up", BigInt(random.integer(100_000, 3_000_000)));
    }
    this.#plan();
    await this.#pass(busyMs);
    if (this.#world.isSetBack) return this.#endSetBack();
    this.#becomeCalm();
    await this.#rest();
    await probe(this.#world, (isSo) => this.#until(isSo));
    oracle.books();
    oracle.log();
    oracle.caps();
  }

  #plan(): void {
    const { random, time, weather, clients } = this.#world;
    const times = (count: number, what: () => void): void => {
      for (let i = 0; i < count; i += 1) time.after(random.between(0, busyMs), what);
    };
    const early = (count: number, what: () => void): void => {
      for (let i = 0; i < count; i += 1) time.after(random.between(0, busyMs / 2), what);
    };
    const often = (count: number, what: () => void): void => times(random.integer(0, count), what);
    for (const orgId of this.#world.organizations) {
      often(3, () => clients.operate(orgId, "top_up", BigInt(random.integer(1, 600_000))));
      often(2, () =>
        clients.operate(orgId, "correction", BigInt(random.integer(-400_000, 100_000))),
      );
    }
    times(weather.requests, () => this.#request());
    times(weather.jobItems, () => this.#runItem(`job-${random.integer(1, 3)}`));
    times(weather.changes, () => this.#change());
    times(weather.crashes, () => this.#crash(this.#world.anyNode()));
    times(weather.stops, () => this.#stop(this.#world.anyNode()));
    early(weather.standStills, () => this.#standStill());
    early(weather.cuts, () => this.#cut());
    early(weather.fullDisks, () => this.#fillDisk());
    times(weather.serverRestarts, () => this.#restartServer());
    times(weather.wallJumps, () => {
      const { machine } = this.#world.anyNode();
      const byMs = random.pick(-1, 1) * random.pick(1_000, 30_000, 3_600_000);
      this.#world.note(`the wall clock of ${machine.name} jumps by ${byMs} ms`);
      machine.setWall(byMs);
    });
    if (weather.setsBack) this.#planSetBack();
  }

  #start(node: ClusterNode): void {
    const { machine, copy } = node;
    const { time, random, network, weather, note, count } = this.#world;
    if (node.process !== null || node.isGivenUp) return;
    note(`${machine.name} starts`);
    machine.start(() => {
      const process: GatewayProcess = new GatewayProcess({
        ...{ machine, copy, time, random, network },
        late: () => (this.#world.isCalm ? 0 : weather.lateMessages),
        fatal: (why) => {
          note(`${machine.name} stops: ${why}`);
          count("fatal");
          if (!this.#world.isSetBack)
            this.#world.oracle.fail(`${machine.name} has stopped: ${why}`);
          node.isGivenUp = true;
          this.#gone(node);
        },
        trouble: (error) => {
          count("trouble");
          note(
            `${machine.name} has trouble: ${error instanceof Error ? error.message : String(error)}`,
          );
        },
        lost: () => {
          note(`${machine.name} was taken for dead`);
          count("lost");
        },
      });
      node.process = process;
      void process
        .open()
        .catch(() => false)
        .then((isOpen) => {
          if (isOpen) note(`${machine.name} serves as ${process.member.id}`);
          else this.#gone(node);
        });
    });
  }

  /** The process is gone, with all that it knew. It starts again after a while. */
  #gone(node: ClusterNode): void {
    const { time, random, note } = this.#world;
    if (node.machine.life === null) return;
    note(`${node.machine.name} is gone`);
    node.process = null;
    node.machine.crash();
    const afterMs = this.#world.isCalm
      ? 500
      : random.pick(random.between(50, 3_000), random.between(0, 60_000));
    time.after(afterMs, () => this.#start(node));
  }

  #crash(node: ClusterNode): void {
    if (this.#world.isCalm || node.process === null) return;
    this.#world.count("crash");
    this.#gone(node);
  }

  #stop(node: ClusterNode): void {
    const { process, machine } = node;
    if (this.#world.isCalm || process?.isReady !== true || process.isStopping) return;
    this.#world.note(`${machine.name} stops in order`);
    this.#world.count("stop");
    process.isStopping = true;
    machine.plan(0, () => {
      void process.stop().then(() => {
        if (node.process === process) this.#gone(node);
      });
    });
  }

  #standStill(): void {
    const { time, random, note, count } = this.#world;
    const { machine, process } = this.#world.anyNode();
    if (this.#world.isCalm || machine.isStandingStill || process === null) return;
    const how = this.#world.anyStandStill();
    const spanMs = this.#world.anySpanMs(60_000);
    note(`${machine.name} is ${how} for ${Math.round(spanMs)} ms`);
    count(how);
    machine.standStill(how);
    time.after(spanMs, () => {
      if (!machine.isStandingStill) return;
      note(`${machine.name} goes on`);
      machine.goOn(random.chance(0.5));
    });
  }

  /** A gateway that serves can't write its copy for a while. */
  #fillDisk(): void {
    const { time, note, count } = this.#world;
    const { machine, copy } = this.#world.anyNode();
    if (this.#world.isCalm || copy.isFull) return;
    const spanMs = this.#world.anySpanMs(60_000);
    note(`the disk of ${machine.name} is full for ${Math.round(spanMs)} ms`);
    count("full disk");
    copy.isFull = true;
    time.after(spanMs, () => {
      note(`${machine.name} has room again`);
      copy.isFull = false;
    });
  }

  /** Once, or again and again with short times between. */
  #cut(): void {
    const { random, count } = this.#world;
    const node = this.#world.anyNode();
    if (this.#world.isCalm) return;
    if (random.chance(0.6)) {
      count("cut");
      return this.#cutFor(node, this.#world.anySpanMs(70_000), () => undefined);
    }
    count("flaps");
    const again = (left: number): void => {
      if (left === 0 || this.#world.isCalm) return;
      this.#cutFor(node, random.between(3_000, 28_000), () =>
        this.#world.time.after(random.between(50, 5_000), () => again(left - 1)),
      );
    };
    again(random.integer(2, 4));
  }

  #cutFor({ machine }: ClusterNode, spanMs: number, healed: () => void): void {
    const { time, random, note, network } = this.#world;
    const way = network.wayOf(machine);
    const directions = random.pick<readonly ("there" | "back")[]>(
      ["there"],
      ["back"],
      ["there", "back"],
    );
    note(`${machine.name} is cut off (${directions.join(", ")}) for ${Math.round(spanMs)} ms`);
    for (const direction of directions) way.cut[direction] = true;
    time.after(spanMs, () => {
      note(`${machine.name} is connected again`);
      way.heal();
      healed();
    });
  }

  #restartServer(): void {
    const { time, random, note, count, network } = this.#world;
    if (this.#world.isCalm) return;
    const spanMs = random.pick(random.between(50, 2_000), random.between(2_000, 30_000));
    note(`the server is away for ${Math.round(spanMs)} ms`);
    count("server restart");
    network.isServerUp = false;
    network.breakAll();
    time.after(spanMs, () => {
      note("the server is there again");
      network.isServerUp = true;
    });
  }

  #request(): void {
    const { random, clients, count } = this.#world;
    const orgId = this.#world.anyOrganization();
    const burst = random.chance(0.15) ? random.integer(2, 12) : 1;
    for (let i = 0; i < burst; i += 1) {
      const at = this.#world.anyProcess();
      if (at === null) continue;
      count("request");
      const isFree = random.chance(0.35);
      at.machine.plan(0, () => clients.send(at, orgId, isFree ? "free" : "paid"));
    }
  }

  /** A gateway that may run the job runs an item of it, unless it knows of its end. */
  #runItem(jobId: string): void {
    const { random, clients, count, time } = this.#world;
    const index = random.integer(0, 2);
    const orgId = this.#world.organizations[0] ?? "";
    const tryAt = (): void => {
      const at = this.#world.anyProcess();
      if (at === null || this.#world.isCalm) return;
      at.machine.plan(0, () => {
        const run = async (): Promise<void> => {
          const claimed = await at.thread.calls.claimJobs([jobId]);
          if (!claimed.includes(jobId) || at.copy.endedItems.has(`${jobId} ${index}`)) return;
          count("item");
          await clients.paid(at, orgId, { jobId, index });
        };
        run().catch(() => count("no claim"));
      });
    };
    tryAt();
    for (let i = 0; i < 4; i += 1) time.after(random.between(1_000, 50_000), tryAt);
  }

  /** A key is revoked: after the answer no gateway acts on what was before. */
  #change(): void {
    const { count, oracle, note } = this.#world;
    const at = this.#world.anyProcess();
    if (at === null || this.#world.isCalm) return;
    const row: RowChange = { table: "keys", key: this.#world.newId("key"), value: { v: 1 } };
    at.machine.plan(0, () => {
      const change = async (): Promise<void> => {
        const basedOn = at.copy.changes;
        const written = await at.thread.change({ rows: [row], events: [] }, basedOn);
        if (written === "behind" || !written.ok) return;
        at.configSeq = at.copy.changes;
        at.thread.tookIn(at.configSeq);
        const seq = at.configSeq;
        const inForce = await at.thread.inForce();
        if (!inForce.ok) return;
        note(`change ${seq} is in force`);
        oracle.inForce(seq);
        count("in force");
      };
      void change();
    });
  }

  #planSetBack(): void {
    const { random, time, network, server, note, count, oracle } = this.#world;
    const copiedAtMs = random.between(5_000, busyMs - 35_000);
    time.after(copiedAtMs, () => {
      const copy = server.copy();
      note("a copy of the server is made");
      time.after(random.between(100, 30_000), () => {
        note("the server is set back");
        count("set back");
        this.#world.isSetBack = true;
        this.#becomeCalm();
        network.breakAll();
        server.setBack(copy);
        oracle.forgetAcknowledged();
      });
    });
  }

  async #endSetBack(): Promise<void> {
    await this.#pass(quietMs);
  }

  #becomeCalm(): void {
    const { faults, nodes, network, note } = this.#world;
    note("calm");
    this.#world.isCalm = true;
    Object.assign(faults, { breaks: 0, silent: 0, late: 0, doubles: 0 });
    network.isServerUp = true;
    for (const { machine, copy } of nodes) {
      network.wayOf(machine).heal();
      machine.goOn(true);
      copy.isFull = false;
    }
  }

  /** Until nothing is left of what was under way. */
  async #rest(): Promise<void> {
    const { time, oracle } = this.#world;
    const endMs = time.nowMs + quietMs;
    for (;;) {
      await this.#pass(4_000);
      const left = oracle.unrest();
      if (left.length === 0) return;
      if (time.nowMs < endMs) continue;
      for (const what of left) oracle.fail(what);
      throw new Broken();
    }
  }

  async #pass(ms: number): Promise<void> {
    let isOver = false;
    this.#world.time.after(ms, () => (isOver = true));
    await this.#until(() => isOver);
  }

  async #until(isSo: () => boolean): Promise<void> {
    const { time, oracle } = this.#world;
    while (!isSo()) {
      if (time.steps > stepsMax) throw new Error("the world does not come to rest");
      await time.step();
      if (oracle.violations.length > 0) throw new Broken();
    }
  }
}

/** Ends a simulation; the oracle knows why. */
class Broken extends Error {}
