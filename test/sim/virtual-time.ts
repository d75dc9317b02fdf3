import type { Clock } from "../../src/runtime/clock.ts";

/** What a crash takes with it, and what goes on outside: clients, the operator, the clock. */
export type Owner = "process" | "world";

const realSetImmediate = setImmediate;

class VirtualTimer {
  readonly run: () => void;
  readonly owner: Owner;
  readonly everyMs: number | null;
  readonly order: number;
  dueMs: number;

  constructor(
    run: () => void,
    owner: Owner,
    dueMs: number,
    order: number,
    everyMs: number | null = null,
  ) {
    this.run = run;
    this.owner = owner;
    this.dueMs = dueMs;
    this.order = order;
    this.everyMs = everyMs;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/**
 * Time that only passes when the simulation takes a step: one event at a time, the earliest first,
 * and all that follows from it without waiting. `install` puts it in the place of Node's timers.
 */
export class VirtualTime implements Clock {
  #nowMs = 1_000;
  #wallAheadMs = Date.UTC(2026, 0, 20);
  #order = 0;
  readonly #timers = new Set<VirtualTimer>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return Math.floor(this.#nowMs + this.#wallAheadMs);
  }

  /** An operator, or a time server, sets the wall clock. */
  setWall(byMs: number): void {
    this.#wallAheadMs += byMs;
  }

  after(ms: number, owner: Owner, run: () => void): void {
    this.#add(run, owner, ms);
  }

  /** Resolves after so long, unless its owner is gone by then. */
  sleep(ms: number, owner: Owner): Promise<void> {
    return new Promise((resolve) => this.after(ms, owner, resolve));
  }

  /** Whoever owns these waits for ever. */
  forget(owner: Owner): void {
    for (const timer of this.#timers) {
      if (timer.owner === owner) this.#timers.delete(timer);
    }
  }

  /** Lets the next event happen, if there is one, and everything that follows from it at once. */
  async step(): Promise<void> {
    let next: VirtualTimer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || isBefore(timer, next)) next = timer;
    }
    if (next !== undefined) this.#run(next);
    await this.settle();
  }

  /** All that has begun and waits for no time comes to its end, or to where it waits. */
  async settle(): Promise<void> {
    await new Promise((resolve) => realSetImmediate(resolve));
  }

  /** Timers of the code under test belong to the process. Returns what puts Node's own back. */
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
    const clear = (timer: unknown): void => {
      if (timer instanceof VirtualTimer) this.#timers.delete(timer);
    };
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0) => this.#add(run, "process", ms),
      setInterval: (run: () => void, ms: number) => this.#add(run, "process", ms, ms),
      setImmediate: (run: () => void) => this.#add(run, "process", 0),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    });
    const realNow = performance.now.bind(performance);
    performance.now = () => this.#nowMs;
    return () => {
      Object.assign(globalThis, real);
      performance.now = realNow;
    };
  }

  #run(timer: VirtualTimer): void {
    this.#timers.delete(timer);
    this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
    if (timer.everyMs !== null) {
      timer.dueMs += timer.everyMs;
      this.#timers.add(timer);
    }
    timer.run();
  }

  #add(run: () => void, owner: Owner, ms: number, everyMs: number | null = null): VirtualTimer {
    this.#order += 1;
    const timer = new VirtualTimer(run, owner, this.#nowMs + ms, this.#order, everyMs);
    this.#timers.add(timer);
    return timer;
  }
}

function isBefore(one: VirtualTimer, other: VirtualTimer): boolean {
  return one.dueMs === other.dueMs ? one.order < other.order : one.dueMs < other.dueMs;
}
