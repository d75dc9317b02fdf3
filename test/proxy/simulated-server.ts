import { Admission, type Overload } from "../../src/proxy/overload/admission.ts";
import { Random } from "../sim/random.ts";

/** What one request costs, milliseconds. */
export interface Costs {
  /** Of the loop: to take it in, and for everything behind its scan. */
  readonly takingIn: number;
  readonly finishing: number;
  /** Of a scan thread, which has a core for itself. */
  readonly scanning: number;
  readonly refusing: number;
  /** From the end of a request's work to the end of a flush, which many wait for together. */
  readonly flushing: number;
}

export interface Phase {
  readonly requestsPerMs: number;
  readonly ms: number;
}

export interface Outcomes {
  /** Milliseconds from arrival, in the order of arrival. */
  readonly servedMs: number[];
  readonly refusedMs: number[];
  readonly refusedBy: Set<Overload>;
}

interface Request {
  readonly atMs: number;
  readonly phase: number;
  /** When it next needs the loop. */
  readyMs: number;
}

/**
 * One loop and one scan thread in simulated time. As in epoll, a turn takes all that was ready when it
 * began; what becomes ready meanwhile waits for the next one.
 */
export class SimulatedServer {
  readonly #costs: Costs;
  readonly #admission: Admission | null;
  #nowMs = 0;
  #activeMs = 0;
  #scanFreeMs = 0;
  #turnOver: (() => void) | null = null;
  /** In the order in which their scans end. */
  readonly #scanning: Request[] = [];
  readonly #flushing: Request[] = [];

  constructor(costs: Costs, isAdmitting: boolean) {
    this.#costs = costs;
    this.#admission = isAdmitting
      ? new Admission({
          nowMs: () => this.#nowMs,
          loopActiveMs: () => this.#activeMs,
          afterTurn: (over) => (this.#turnOver = over),
          inHand: () => this.#scanning.length + this.#flushing.length,
          scansWaiting: () => this.#scansWaiting(),
        })
      : null;
  }

  /** Open-loop arrivals, phase after phase; ends when all are answered. */
  run(phases: readonly Phase[], seed: number): readonly Outcomes[] {
    const arrivals = arrivalsOf(phases, new Random(seed));
    const outcomes: readonly Outcomes[] = phases.map(() => ({
      servedMs: [],
      refusedMs: [],
      refusedBy: new Set<Overload>(),
    }));
    for (let next = 0; ;) {
      const readyMs = Math.min(
        // A turn that was asked for comes at once.
        this.#turnOver === null ? Infinity : this.#nowMs,
        arrivals[next]?.atMs ?? Infinity,
        this.#scanning[0]?.readyMs ?? Infinity,
        this.#flushing[0]?.readyMs ?? Infinity,
      );
      if (readyMs === Infinity) return outcomes;
      this.#nowMs = Math.max(this.#nowMs, readyMs);
      const turnMs = this.#nowMs;
      while ((arrivals[next]?.atMs ?? Infinity) <= turnMs) {
        const request = arrivals[next++];
        if (request !== undefined) this.#arrived(request, outcomes[request.phase]);
      }
      for (const request of ready(this.#scanning, turnMs)) {
        this.#work(this.#costs.finishing);
        this.#flushing.push({ ...request, readyMs: this.#nowMs + this.#costs.flushing });
      }
      for (const { atMs, phase } of ready(this.#flushing, turnMs)) {
        outcomes[phase]?.servedMs.push(this.#nowMs - atMs);
      }
      const turnOver = this.#turnOver;
      this.#turnOver = null;
      turnOver?.();
    }
  }

  #arrived(request: Request, outcomes: Outcomes | undefined): void {
    const decision = this.#admission?.decide(0) ?? "now";
    if (decision === "now") {
      this.#begin(request);
    } else if (decision === "late") {
      this.#admission?.startLate(() => this.#begin(request));
    } else {
      this.#work(this.#costs.refusing);
      outcomes?.refusedMs.push(this.#nowMs - request.atMs);
      outcomes?.refusedBy.add(decision);
    }
  }

  #begin(request: Request): void {
    this.#work(this.#costs.takingIn);
    this.#scanFreeMs = Math.max(this.#scanFreeMs, this.#nowMs) + this.#costs.scanning;
    this.#scanning.push({ ...request, readyMs: this.#scanFreeMs });
  }

  #work(ms: number): void {
    this.#nowMs += ms;
    this.#activeMs += ms;
  }

  #scansWaiting() {
    const waiting = this.#scanning.filter(({ readyMs }) => readyMs > this.#nowMs);
    const drainMs = Math.max(0, this.#scanFreeMs - this.#nowMs);
    return { scansPerThread: waiting.length, waitedMs: drainMs, drainMs };
  }
}

function arrivalsOf(phases: readonly Phase[], random: Random): readonly Request[] {
  const arrivals: Request[] = [];
  let endMs = 0;
  for (const [phase, { requestsPerMs, ms }] of phases.entries()) {
    let atMs = endMs;
    endMs += ms;
    for (;;) {
      atMs -= Math.log(1 - random.next()) / requestsPerMs;
      if (atMs >= endMs) break;
      arrivals.push({ atMs, phase, readyMs: atMs });
    }
  }
  return arrivals;
}

function ready(queue: Request[], nowMs: number): readonly Request[] {
  const after = queue.findIndex(({ readyMs }) => readyMs > nowMs);
  return queue.splice(0, after < 0 ? queue.length : after);
}
