import { MemoryStore } from "./memory-store.ts";
import { Oracle, type Holder } from "./oracle.ts";
import { Random } from "./random.ts";
import type { DiskFaults, SimulatedDisk } from "./simulated-disk.ts";
import type { SimulatedGateway } from "./simulated-gateway.ts";
import { UsageOracle } from "./usage-oracle.ts";
import { VirtualTime } from "./virtual-time.ts";

/** How hostile one seed's world is: probabilities, unless said otherwise. */
interface Weather {
  /** Of each kind of failure of a provider, and of the detectors. */
  readonly failures: number;
  /** Of answers that cost more than their hold. */
  readonly excess: number;
  readonly clientLeaves: number;
  /** Of settlements made twice, of holds released twice. */
  readonly repeats: number;
  /** Of debits that reach the books twice, as only a bug could make them. */
  readonly doubles: number;
  /** How many crashes and stops there are while requests come; so the two below. */
  readonly crashes: number;
  readonly fullDisks: number;
  readonly clockJumps: number;
  /** Of changes of an account in the middle of which a thread stands still while another goes on. */
  readonly standStills: number;
}

const tracedLines = 60;

/** What everybody in one seed's world shares. */
export class World {
  readonly seed: number;
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly oracle = new Oracle();
  readonly usage = new UsageOracle(this.oracle.fail);
  /** What outlives the gateway's processes. */
  readonly disk: SimulatedDisk;
  /** Of the disk: everything that is durable, as a start would find it. */
  readonly durable: MemoryStore;
  readonly diskFaults: DiskFaults;
  readonly weather: Weather;
  readonly organizations: readonly string[];
  /** Proxy threads of each life of the gateway: 1, or 2. */
  readonly threads: number;
  /** The last things that happened. */
  readonly trace: string[] = [];
  readonly counts: Record<string, number> = {};
  /** Requests whose clients have seen their id. */
  readonly knownIds: string[] = [];
  /** Of answers of the responses wire that were charged, of all organizations. */
  readonly responseIds: string[] = [];
  /** null while none runs, or the one that runs is stopping. */
  gateway: SimulatedGateway | null = null;
  /** Nothing new begins, and nothing fails any more. */
  isCalm = false;
  /** A thread of the gateway stands still in the middle of a change. */
  standsStill = false;
  #requests = 0;

  constructor(seed: number) {
    this.seed = seed;
    const random = new Random(seed);
    this.random = random;
    this.durable = new MemoryStore(this.oracle.fail);
    const rarely = (most: number): number => (random.chance(0.5) ? 0 : random.between(0, most));
    this.diskFaults = {
      slow: rarely(0.1),
      torn: rarely(0.1),
      lostReply: rarely(0.1),
      full: false,
    };
    const { durable, time, diskFaults: faults } = this;
    const readers = new MemoryStore(this.oracle.fail);
    this.disk = { durable, readers, records: [], faults, random, time };
    this.weather = {
      failures: rarely(0.2),
      excess: rarely(0.5),
      clientLeaves: rarely(0.5),
      repeats: rarely(0.3),
      doubles: random.chance(0.3) ? 0.1 : 0,
      crashes: random.integer(0, 4),
      fullDisks: random.chance(0.3) ? random.integer(1, 2) : 0,
      clockJumps: random.chance(0.3) ? random.integer(1, 4) : 0,
      standStills: rarely(0.3),
    };
    this.organizations = Array.from({ length: random.integer(1, 3) }, (_, i) => `org-${i + 1}`);
    this.threads = random.integer(1, 2);
  }

  holder(requestId: string, kind: Holder["kind"]): Holder {
    const holder: Holder = { kind, endedMs: null };
    this.oracle.holders.set(requestId, holder);
    this.count(kind);
    return holder;
  }

  anyOrganization(): string {
    return this.organizations[this.random.integer(0, this.organizations.length - 1)] ?? "";
  }

  newId(orgId: string): string {
    this.#requests += 1;
    return `${orgId} r-${String(this.#requests).padStart(4, "0")}`;
  }

  countBooks(): void {
    if (this.gateway === null) return;
    this.count("owed", this.gateway.count("owed"));
    this.count("recovered", this.gateway.count("recovered"));
    this.count("outcome unknown", this.gateway.count("outcomeUnknown"));
    this.count("expired", this.gateway.count("expired"));
    this.count("refused", this.gateway.count("refused"));
  }

  count(what: string, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  note(what: string): void {
    this.trace.push(`${this.time.monotonicMs().toFixed(2)} ${what}`);
    if (this.trace.length > tracedLines) this.trace.shift();
  }
}
