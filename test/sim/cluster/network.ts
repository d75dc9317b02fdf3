import { EventEmitter } from "node:events";
import { sharedConnectMsMax, sharedQueryMsMax } from "../../../src/contract/limits.ts";
import type { Connection } from "../../../src/store/shared/link.ts";
import type { Queryable } from "../../../src/store/shared/call-function.ts";
import type { Random } from "../random.ts";
import type { Life, Machine, MachineTime } from "./machine-time.ts";

type Question = Parameters<Queryable["query"]>[0];
type Reply = Awaited<ReturnType<Queryable["query"]>>;

/** What the server does with a question. Throws what the server refuses. */
export interface Server {
  ask(name: string, values: readonly unknown[]): readonly object[];
}

/** Probabilities. */
export interface NetworkFaults {
  /** Of a connection that breaks while a question or its answer is under way. */
  breaks: number;
  /** Of a broken connection of which the gateway hears nothing. */
  silent: number;
  /** Of a message that is late by up to 30 seconds. */
  late: number;
  /** Of a question that comes twice, where this may happen. */
  doubles: number;
}

/** Questions that a proxy between gateway and server, or a client, may repeat. */
const repeatable: ReadonlySet<string> = new Set([
  ...["flush", "top_up", "end_gateway", "sequence_runs", "recover_some", "open_account"],
]);

type Direction = "there" | "back";

/** The way between one machine and the server. While it is cut, messages wait, as those of TCP do. */
export class Way {
  readonly cut: Record<Direction, boolean> = { there: false, back: false };
  readonly waiting: Record<Direction, (() => void)[]> = { there: [], back: [] };

  heal(): void {
    for (const direction of ["there", "back"] as const) {
      this.cut[direction] = false;
      for (const send of this.waiting[direction].splice(0)) send();
    }
  }
}

export interface NetworkOptions {
  readonly time: MachineTime;
  readonly random: Random;
  readonly faults: NetworkFaults;
  readonly server: Server;
  readonly note: (what: string) => void;
  /** A gateway does what it should not need to do. */
  readonly strange: (machine: Machine, what: string) => void;
}

/** More than all links of a gateway need in a second, with a burst of requests that find no connection. */
const connectionsASecondMax = 60;

/** The network between gateways and the server, and the server's side of all connections. */
export class Network {
  readonly time: MachineTime;
  readonly random: Random;
  readonly faults: NetworkFaults;
  readonly #server: Server;
  readonly #open = new Set<SimulatedConnection>();
  readonly #ways = new Map<Machine, Way>();
  readonly #note: (what: string) => void;
  readonly #strange: (machine: Machine, what: string) => void;
  readonly #connectedAtMs = new Map<Machine, number[]>();
  isServerUp = true;

  constructor({ time, random, faults, server, note, strange }: NetworkOptions) {
    this.time = time;
    this.random = random;
    this.faults = faults;
    this.#server = server;
    this.#note = note;
    this.#strange = strange;
  }

  wayOf(machine: Machine): Way {
    let way = this.#ways.get(machine);
    if (way === undefined) this.#ways.set(machine, (way = new Way()));
    return way;
  }

  connect(machine: Machine): SimulatedConnection {
    const nowMs = this.time.nowMs;
    const recent = (this.#connectedAtMs.get(machine) ?? []).filter((ms) => ms > nowMs - 1_000);
    recent.push(nowMs);
    this.#connectedAtMs.set(machine, recent);
    if (recent.length > connectionsASecondMax) {
      this.#strange(machine, `makes ${recent.length} connections in a second`);
    }
    return new SimulatedConnection(this, machine);
  }

  opened(connection: SimulatedConnection): void {
    this.#open.add(connection);
  }

  /** Runs a question on the server. Returns null if the connection has broken before its answer is sent. */
  execute(connection: SimulatedConnection, { name, values }: Question): (() => Reply) | null {
    if (!this.#open.has(connection)) return null;
    const { random, faults } = this;
    if (random.chance(faults.breaks)) {
      this.break(connection, `before ${name}`);
      return null;
    }
    if (repeatable.has(name) && random.chance(faults.doubles)) {
      this.#note(`${connection.name}: ${name} comes twice`);
      this.#answer(name, values);
    }
    const answer = this.#answer(name, values);
    if (random.chance(faults.breaks)) {
      this.break(connection, `after ${name}`);
      return null;
    }
    return answer;
  }

  #answer(name: string, values: readonly unknown[]): () => Reply {
    try {
      const rows = this.#server.ask(name, values);
      return () => replyOf(rows);
    } catch (error) {
      return () => {
        throw error;
      };
    }
  }

  /** Tells all who listen. */
  notify(channel: string, payload: string): void {
    for (const connection of this.#open) connection.notify(channel, payload);
  }

  /** The server restarts: it knows no connection any more. */
  breakAll(): void {
    for (const connection of this.#open) this.#forget(connection);
  }

  break(connection: SimulatedConnection, why: string): void {
    this.#note(`${connection.name} breaks ${why}`);
    this.#forget(connection);
  }

  endedWhole(machine: Machine): void {
    this.#strange(machine, "ends a connection that works");
  }

  /** The gateway's process is gone, or has closed the connection. */
  closed(connection: SimulatedConnection): void {
    this.#open.delete(connection);
  }

  #forget(connection: SimulatedConnection): void {
    this.#open.delete(connection);
    if (!this.random.chance(this.faults.silent)) connection.reset();
  }
}

interface Waiting {
  readonly question: Question | null;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  isOver: boolean;
}

/** A connection as pg's `Client` has it: one question is under way at a time, the others wait. */
export class SimulatedConnection extends EventEmitter implements Connection {
  readonly #network: Network;
  readonly #machine: Machine;
  readonly #life: Life | null;
  readonly #way: Way;
  readonly #lastDueMs: Record<Direction, number> = { there: 0, back: 0 };
  #queue: Waiting[] = [];
  #active: Waiting | null = null;
  #state: "new" | "open" | "ended" = "new";
  #listens = false;
  /** An answer has not come in time, or it has ended. */
  #hasFailed = false;

  constructor(network: Network, machine: Machine) {
    super();
    this.#network = network;
    this.#machine = machine;
    this.#life = machine.life;
    this.#way = network.wayOf(machine);
  }

  get name(): string {
    return `a connection of ${this.#machine.name}`;
  }

  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#end();
        reject(new Error("timeout expired"));
      }, sharedConnectMsMax);
      this.#there(() => {
        const isUp = this.#network.isServerUp;
        if (isUp) this.#network.opened(this);
        this.#back(() => {
          clearTimeout(timer);
          if (this.#state === "ended") return;
          if (isUp) {
            this.#state = "open";
            resolve();
          } else {
            this.#end();
            reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
          }
        });
      });
    });
  }

  query(commands: string): Promise<unknown>;
  query(question: Question): Promise<Reply>;
  query(asked: string | Question): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#state !== "open")
        return reject(new Error("Client was closed and is not queryable"));
      const question = typeof asked === "string" ? null : asked;
      const timer = setTimeout(() => {
        waiting.isOver = true;
        this.#hasFailed = true;
        this.#queue = this.#queue.filter((one) => one !== waiting);
        reject(new Error("Query read timeout"));
      }, sharedQueryMsMax);
      const waiting: Waiting = {
        question,
        resolve: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        isOver: false,
      };
      this.#queue.push(waiting);
      this.#next();
    });
  }

  end(): Promise<void> {
    if (this.#state === "open" && !this.#hasFailed) this.#network.endedWhole(this.#machine);
    this.#end();
    return Promise.resolve();
  }

  /** The server has closed it. */
  reset(): void {
    this.#back(() => {
      if (this.#state === "ended") return;
      const wasOpen = this.#state === "open";
      this.#end();
      if (wasOpen) this.emit("error", new Error("Connection terminated unexpectedly"));
    });
  }

  notify(channel: string, payload: string): void {
    if (!this.#listens) return;
    this.#back(() => {
      if (this.#state === "open") this.emit("notification", { channel, payload, processId: 0 });
    });
  }

  #next(): void {
    if (this.#active !== null) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) return;
    this.#active = waiting;
    this.#there(() => {
      if (waiting.question === null) {
        this.#listens = true;
        return this.#back(() => this.#answered(waiting, () => replyOf([])));
      }
      const answer = this.#network.execute(this, waiting.question);
      if (answer !== null) this.#back(() => this.#answered(waiting, answer));
    });
  }

  #answered(waiting: Waiting, answer: () => Reply): void {
    if (this.#state === "ended") return;
    this.#active = null;
    if (!waiting.isOver) {
      try {
        waiting.resolve(answer());
      } catch (error) {
        waiting.reject(error as Error);
      }
    }
    this.#next();
  }

  #end(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    // What was sent before still arrives.
    this.#there(() => this.#network.closed(this));
    // As pg does it, a little later.
    this.#machine.plan(0, () => {
      const left = this.#active === null ? this.#queue : [this.#active, ...this.#queue];
      for (const { reject, isOver } of left)
        if (!isOver) reject(new Error("Connection terminated"));
      this.#queue = [];
      this.emit("end");
    });
  }

  #there(arrive: () => void): void {
    this.#send("there", (afterMs) => this.#network.time.after(afterMs, arrive));
  }

  #back(arrive: () => void): void {
    this.#send("back", (afterMs) => {
      // Another process of the machine does not get it.
      if (this.#machine.life === this.#life) this.#machine.plan(afterMs, arrive);
    });
  }

  /** In order; after all that was sent before. */
  #send(direction: Direction, deliver: (afterMs: number) => void): void {
    const { time, random, faults } = this.#network;
    const isLate = random.chance(faults.late);
    const latencyMs = isLate ? random.between(1, 30_000) : random.between(0.2, 2);
    const send = (): void => {
      const dueMs = Math.max(this.#lastDueMs[direction], time.nowMs + latencyMs);
      this.#lastDueMs[direction] = dueMs;
      deliver(dueMs - time.nowMs);
    };
    if (this.#way.cut[direction]) this.#way.waiting[direction].push(send);
    else send();
  }
}

/** Nothing else of a result is read. */
function replyOf(rows: readonly object[]): Reply {
  return { rows } as Reply;
}
