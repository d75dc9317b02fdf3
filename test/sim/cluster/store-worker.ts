import { EventEmitter } from "node:events";
import { accept } from "../../../src/contract/outcome.ts";
import type { SharedThreadData, ToSharedThread } from "../../../src/store/shared/messages.ts";
import { StoreSession } from "../../../src/store/shared/store-session.ts";
import type { StoreWorker } from "../../../src/store/shared/store-thread.ts";
import type { Random } from "../random.ts";
import type { GatewayCopy } from "./gateway-copy.ts";
import type { Machine, MachineTime } from "./machine-time.ts";
import type { Network } from "./network.ts";

export interface SimulatedWorkerOptions {
  readonly data: SharedThreadData;
  readonly machine: Machine;
  readonly time: MachineTime;
  readonly random: Random;
  readonly network: Network;
  readonly copy: GatewayCopy;
  /** Of a message between the threads that is late by up to two seconds. */
  readonly late: () => number;
}

/** The store's thread of a gateway, without a thread: messages are late now and then, but come in their order. */
export class SimulatedStoreWorker extends EventEmitter implements StoreWorker {
  readonly session: StoreSession;
  readonly #options: SimulatedWorkerOptions;
  readonly #lastDueMs = { to: 0, from: 0 };

  constructor(options: SimulatedWorkerOptions) {
    super();
    this.#options = options;
    const { data, machine, network, copy } = options;
    this.session = new StoreSession({
      ...{ data, replica: copy },
      write: () => Promise.resolve(accept(null)),
      publisher: { hasNews: false, isBehind: false, sign: () => "" },
      closeCopy: () => Promise.resolve(),
      tell: (message) => this.#later("from", () => this.emit("message", message)),
      ended: () => this.#later("from", () => this.emit("exit", 0)),
      newConnection: () => network.connect(machine),
    });
  }

  postMessage(message: ToSharedThread): void {
    this.#later("to", () => this.session.receive(message));
  }

  #later(direction: "to" | "from", run: () => void): void {
    const { time, machine, random, late } = this.#options;
    const lateMs = random.chance(late()) ? random.between(0, 2_000) : 0.05;
    const dueMs = Math.max(this.#lastDueMs[direction], time.nowMs + lateMs);
    this.#lastDueMs[direction] = dueMs;
    machine.plan(dueMs - time.nowMs, run);
  }
}
