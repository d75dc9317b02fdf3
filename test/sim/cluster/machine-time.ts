import type { Clock } from "../../../src/runtime/clock.ts";
import { EventQueue, type Planned } from "./event-queue.ts";

const realSetImmediate = setImmediate;
/** So often Node gets a turn, in which it finds rejections that nobody handles. */
const stepsPerTurn = 512;

class MachineEvent implements Planned {
  readonly run: () => void;
  /** Of the process that has planned it; of a world's event: null. */
  readonly life: Life | null;
  /** A timer of the process, and not something that comes from outside. */
  readonly isTimer: boolean;
  readonly everyMs: number | null;
  dueMs: number;
  order: number;
  isOver = false;

  constructor(about: Pick<MachineEvent, "run" | "life" | "isTimer" | "everyMs" | keyof Planned>) {
    this.run = about.run;
    this.life = about.life;
    this.isTimer = about.isTimer;
    this.everyMs = about.everyMs;
    this.dueMs = about.dueMs;
    this.order = about.order;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** One start of a process on a machine. Its events end with it. */
export class Life {
  isOver = false;
  readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }
}

/** How a machine stands still: its processes alone (SIGSTOP), or its monotonic clock too (it is suspended). */
export type StandStill = "stopped" | "asleep";

/**
 * A machine with clocks of its own: the monotonic one is faster or slower than true time, and the wall clock is set now and
 * then. One process runs on it, or none.
 */
export class Machine implements Clock {
  readonly name: string;
  readonly #time: MachineTime;
  /** Milliseconds of its monotonic clock in a millisecond. */
  readonly #rate: number;
  readonly #bootMs: number;
  #wallAheadMs: number;
  #asleepMs = 0;
  #standsStill: { readonly how: StandStill; readonly sinceMs: number } | null = null;
  #waiting: MachineEvent[] = [];
  #life: Life | null = null;

  constructor(time: MachineTime, name: string, rate: number, bootMs: number, wallAheadMs: number) {
    this.#time = time;
    this.name = name;
    this.#rate = rate;
    this.#bootMs = bootMs;
    this.#wallAheadMs = wallAheadMs;
  }

  get isStandingStill(): boolean {
    return this.#standsStill !== null;
  }

  get life(): Life | null {
    return this.#life;
  }

  monotonicMs(): number {
    return (this.#time.nowMs - this.#asleepMs + this.#bootMs) * this.#rate;
  }

  wallMs(): number {
    return Math.floor(this.#time.nowMs + this.#wallAheadMs);
  }

  setWall(byMs: number): void {
    this.#wallAheadMs += byMs;
  }

  /** A process begins, with `run`. */
  start(run: () => void): void {
    this.#life = new Life(this);
    this.plan(0, run);
  }

  /** All that the process has planned is gone. */
  crash(): void {
    if (this.#life !== null) this.#life.isOver = true;
    this.#life = null;
    this.#waiting = [];
    this.#standsStill = null;
  }

  /** Something comes to the process from outside, if it still runs then. */
  plan(afterMs: number, run: () => void): void {
    if (this.#life !== null) this.#time.add(afterMs, run, this.#life, false, null);
  }

  timer(ms: number, run: () => void, isRepeated: boolean): MachineEvent {
    const everyMs = isRepeated ? ms / this.#rate : null;
    return this.#time.add(ms / this.#rate, run, this.#life, true, everyMs);
  }

  standStill(how: StandStill): void {
    this.#standsStill ??= { how, sinceMs: this.#time.nowMs };
  }

  /** Goes on: what was due meanwhile happens, one after the other. */
  goOn(timersFirst: boolean): void {
    if (this.#standsStill === null) return;
    const { how, sinceMs } = this.#standsStill;
    const passedMs = this.#time.nowMs - sinceMs;
    const waiting = this.#waiting;
    this.#standsStill = null;
    this.#waiting = [];
    if (how === "asleep") {
      this.#asleepMs += passedMs;
      this.#time.delayTimers(this.#life, passedMs);
      for (const event of waiting) this.#time.addAgain(event, event.isTimer ? passedMs : 0);
      return;
    }
    const timers = waiting.filter(({ isTimer }) => isTimer);
    const news = waiting.filter(({ isTimer }) => !isTimer);
    for (const event of timersFirst ? [...timers, ...news] : [...news, ...timers]) {
      this.#time.addAgain(event, 0);
    }
  }

  wait(event: MachineEvent): void {
    this.#waiting.push(event);
  }
}

/**
 * Time that passes when the simulation takes a step: one event of one machine, and all that follows from it without
 * waiting. While installed, timers and clocks are those of the machine whose event it is.
 */
export class MachineTime {
  nowMs = 0;
  #order = 0;
  #steps = 0;
  readonly #queue = new EventQueue<MachineEvent>();
  #current: Machine | null = null;

  /** The machine whose step it is. */
  get current(): Machine | null {
    return this.#current;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Runs `look` with the clocks of a machine. */
  on<T>(machine: Machine, look: () => T): T {
    const before = this.#current;
    this.#current = machine;
    const seen = look();
    this.#current = before;
    return seen;
  }

  /** Something happens in the world. */
  after(ms: number, run: () => void): void {
    this.add(ms, run, null, false, null);
  }

  add(
    afterMs: number,
    run: () => void,
    life: Life | null,
    isTimer: boolean,
    everyMs: number | null,
  ): MachineEvent {
    this.#order += 1;
    const dueMs = this.nowMs + Math.max(0, afterMs);
    const event = new MachineEvent({ run, life, isTimer, everyMs, dueMs, order: this.#order });
    this.#queue.add(event);
    return event;
  }

  addAgain(event: MachineEvent, delayMs: number): void {
    this.#order += 1;
    event.order = this.#order;
    event.dueMs = Math.max(this.nowMs, event.dueMs + delayMs);
    this.#queue.add(event);
  }

  /** The monotonic clock of the process's machine has stood still for so long. */
  delayTimers(life: Life | null, byMs: number): void {
    for (const event of this.#queue.takeAll()) {
      if (event.life === life && event.isTimer) event.dueMs += byMs;
      this.#queue.add(event);
    }
  }

  /** Lets the next event happen. Returns the machine that it has happened on; undefined: there is none. */
  async step(): Promise<Machine | null | undefined> {
    for (;;) {
      const event = this.#queue.take();
      if (event === undefined) return undefined;
      if (event.isOver || event.life?.isOver === true) continue;
      this.nowMs = Math.max(this.nowMs, event.dueMs);
      const machine = event.life?.machine ?? null;
      if (machine?.isStandingStill === true) {
        machine.wait(event);
        continue;
      }
      await this.#run(event, machine);
      return machine;
    }
  }

  /** Runs something as a part of a machine's process, with all that follows from it at once. */
  async #run(event: MachineEvent, machine: Machine | null): Promise<void> {
    this.#steps += 1;
    this.#current = machine;
    if (event.everyMs !== null) {
      event.dueMs += event.everyMs;
      this.#queue.add(event);
    }
    event.run();
    // Ticks run when no microtask is left; this is much faster than a turn of Node's loop.
    await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
    this.#current = null;
    if (this.#steps % stepsPerTurn === 0) {
      await new Promise((resolve) => realSetImmediate(resolve));
    }
  }

  /** Returns what puts Node's own timers and clocks back. */
  install(): () => void {
    const names = [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "setImmediate",
      "clearImmediate",
    ] as const;
    const real = Object.fromEntries(names.map((name) => [name, globalThis[name]]));
    const made = (name: "setTimeout" | "setInterval" | "setImmediate") => {
      const isRepeated = name === "setInterval";
      return (run: () => void, ms = 0): unknown =>
        // Test runners have timers too.
        this.#current?.timer(isRepeated ? Math.max(1, ms) : ms, run, isRepeated) ??
        (real[name] as typeof setTimeout)(run, ms);
    };
    const cleared = (name: "clearTimeout" | "clearInterval" | "clearImmediate") => {
      return (timer: unknown): void => {
        if (timer instanceof MachineEvent) timer.isOver = true;
        else (real[name] as (timer: unknown) => void)(timer);
      };
    };
    Object.assign(globalThis, {
      setTimeout: made("setTimeout"),
      setInterval: made("setInterval"),
      setImmediate: made("setImmediate"),
      clearTimeout: cleared("clearTimeout"),
      clearInterval: cleared("clearInterval"),
      clearImmediate: cleared("clearImmediate"),
    });
    const performanceNow = performance.now.bind(performance);
    const dateNow = Date.now.bind(Date);
    const bigint = process.hrtime.bigint.bind(process.hrtime);
    performance.now = () => this.#current?.monotonicMs() ?? this.nowMs;
    Date.now = () => this.#current?.wallMs() ?? this.nowMs;
    process.hrtime.bigint = () => BigInt(Math.round(performance.now() * 1e6));
    return () => {
      Object.assign(globalThis, real);
      performance.now = performanceNow;
      Date.now = dateNow;
      process.hrtime.bigint = bigint;
    };
  }
}
