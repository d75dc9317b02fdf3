import { Random } from "../random.ts";
import { ClusterClients } from "./cluster-clients.ts";
import { ClusterOracle } from "./cluster-oracle.ts";
import { GatewayCopy } from "./gateway-copy.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import { Machine, MachineTime, type StandStill } from "./machine-time.ts";
import { Network, type NetworkFaults } from "./network.ts";
import { SharedServer } from "./shared-server.ts";

/** How hostile one seed's world is: how often each thing happens while clients come. */
export interface ClusterWeather {
  readonly crashes: number;
  readonly stops: number;
  readonly standStills: number;
  readonly suspends: boolean;
  readonly cuts: number;
  readonly serverRestarts: number;
  readonly wallJumps: number;
  readonly changes: number;
  readonly fullDisks: number;
  readonly setsBack: boolean;
  /** Of requests whose answer costs more than their hold. */
  readonly excess: number;
  /** Of messages between a gateway's threads. */
  readonly lateMessages: number;
  readonly requests: number;
  readonly jobItems: number;
}

/** A machine, its data directory, and the process that runs on it now. */
export interface ClusterNode {
  readonly machine: Machine;
  readonly copy: GatewayCopy;
  process: GatewayProcess | null;
  /** Nobody starts it again. */
  isGivenUp: boolean;
}

const tracedLines = 80;
/** A wall clock's milliseconds since 1970 at the start. */
const startMs = Date.UTC(2026, 0, 20);

/** What everybody in one seed's world shares. */
export class ClusterWorld {
  readonly seed: number;
  readonly random: Random;
  readonly time = new MachineTime();
  readonly weather: ClusterWeather;
  readonly faults: NetworkFaults;
  readonly server: SharedServer;
  readonly network: Network;
  readonly nodes: readonly ClusterNode[];
  readonly oracle: ClusterOracle;
  readonly clients: ClusterClients;
  readonly organizations: readonly string[];
  readonly trace: string[] = [];
  readonly counts: Record<string, number> = {};
  /** Everything that was noted, as a number. */
  hash = 0;
  /** Nothing new begins, and nothing fails any more. */
  isCalm = false;
  /** The server was set back: only those go on that have lost nothing. */
  isSetBack = false;
  #ids = 0;

  constructor(seed: number, gateways: number | null) {
    this.seed = seed;
    const random = new Random(seed);
    this.random = random;
    const rarely = (most: number): number => (random.chance(0.5) ? 0 : random.between(0, most));
    const often = (most: number): number => (random.chance(0.4) ? 0 : random.integer(1, most));
    this.faults = {
      ...{ breaks: rarely(0.02), silent: random.pick(0, 0.3, 1), late: rarely(0.003) },
      doubles: rarely(0.1),
    };
    const suspends = random.chance(0.3);
    this.weather = {
      ...{ crashes: often(4), stops: often(2), standStills: often(4), suspends, cuts: often(4) },
      ...{ serverRestarts: often(2), changes: often(5), fullDisks: often(2) },
      setsBack: random.chance(0.08),
      // A machine whose clocks are wrong after it was suspended is outside the guarantee.
      wallJumps: suspends ? 0 : often(3),
      ...{ excess: rarely(0.5), lateMessages: rarely(0.03) },
      ...{ requests: random.integer(20, 150), jobItems: often(6) },
    };
    this.organizations = Array.from({ length: random.integer(1, 3) }, (_, i) => `org-${i + 1}`);
    const driftMax = random.pick(0, 0.001, 0.1);
    this.oracle = new ClusterOracle(this, driftMax);
    this.clients = new ClusterClients(this);
    this.server = new SharedServer({
      nowMs: () => Math.floor(startMs + this.time.nowMs),
      notify: (channel, payload) => this.network.notify(channel, payload),
      done: (done) => this.oracle.afterCall(done),
      refused: (why) => {
        this.note(`the server refuses: ${why}`);
        if (!this.isSetBack) this.oracle.fail(`the server refuses: ${why}`);
      },
    });
    this.network = new Network({
      ...{ time: this.time, random, faults: this.faults, server: this.server, note: this.note },
      strange: (machine, what) => {
        const node = this.nodes.find((one) => one.machine === machine);
        if (node?.process?.isStopping !== true) this.oracle.fail(`${machine.name} ${what}`);
      },
    });
    const count = gateways ?? random.integer(2, 4);
    this.nodes = Array.from({ length: count }, (_, i) => ({
      machine: new Machine(
        ...([this.time, `gateway ${"ABCDEFGH"[i]}`] as const),
        1 + random.between(-driftMax, driftMax),
        ...([random.between(0, 1e6), startMs + random.between(-60_000, 60_000)] as const),
      ),
      copy: new GatewayCopy(),
      ...{ process: null, isGivenUp: false },
    }));
  }

  newId(of: string): string {
    this.#ids += 1;
    return `${of} r-${String(this.#ids).padStart(4, "0")}`;
  }

  anyOrganization(): string {
    return this.organizations[this.random.integer(0, this.organizations.length - 1)] ?? "";
  }

  anyNode(): ClusterNode {
    const node = this.nodes[this.random.integer(0, this.nodes.length - 1)];
    if (node === undefined) throw new Error("there are no gateways");
    return node;
  }

  /** A process that clients reach. */
  anyProcess(): GatewayProcess | null {
    const { process } = this.anyNode();
    return process?.isReady === true && !process.isStopping ? process : null;
  }

  anyStandStill(): StandStill {
    return this.weather.suspends && this.random.chance(0.5) ? "asleep" : "stopped";
  }

  /** Short, about the lease and the fence, or longer than both; milliseconds. */
  anySpanMs(mostMs: number): number {
    const { random } = this;
    return random.pick(
      ...([random.between(1, 2_000), random.between(2_000, 25_000)] as const),
      ...[random.between(18_000, mostMs), random.between(31_000, mostMs)],
    );
  }

  readonly count = (what: string, times = 1): void => {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  };

  readonly note = (what: string): void => {
    const line = `${this.time.nowMs.toFixed(2)} ${what}`;
    for (let i = 0; i < line.length; i += 1) {
      this.hash = (Math.imul(this.hash, 31) + line.charCodeAt(i)) | 0;
    }
    this.trace.push(line);
    if (this.trace.length > tracedLines) this.trace.shift();
  };
}
