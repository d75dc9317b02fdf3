import { performance } from "node:perf_hooks";
import {
  openExchangesMax,
  overloadBusyShareMin,
  overloadInHandMin,
  overloadInHandMsMax,
  overloadLateStartsPerTurn,
  overloadScansMin,
  overloadScanWaitedMsMin,
  overloadScanWaitMsMax,
  overloadTurnMsMax,
  overloadTurnRequestsMin,
} from "../../contract/limits.ts";
import { header, type RequestHead } from "../../exchange/exchange.ts";
import { BurstAllowance } from "./burst-allowance.ts";
import { Pace } from "./pace.ts";

/** What there is too much of: new requests in a turn of the loop, scans, work in hand, or exchanges. */
export type Overload = "turn" | "scans" | "in_hand" | "exchanges";

/** Begin it now, begin it late with `startLate`, or refuse it for this. */
export type Decision = "now" | "late" | Overload;

/** Scans that wait for a thread of the scanner. */
export interface ScansWaiting {
  readonly scansPerThread: number;
  /** How long the first of them has waited. */
  readonly waitedMs: number;
  /** How long one more would wait. */
  readonly drainMs: number;
}

/** What tells how long a request that comes now would wait. */
export interface Load {
  /** Exchanges of this thread that are open, whatever they wait for. */
  readonly openExchanges: number;
  /** Requests that this turn of the loop has brought, and for how long they have been taken in. */
  readonly turnRequests: number;
  readonly turnMs: number;
  readonly scans: ScansWaiting;
  /** Requests that wait for us, not for a client or a provider, and how long one more would. */
  readonly inHand: number;
  readonly inHandMs: number;
  /** For how much of the last time the loop was at work. */
  readonly busyShare: number;
}

/**
 * Whether a request that comes now would wait longer than it should; null: it would not. A sign of a long
 * wait counts only where many requests cause it: a pause of the process, one long scan and a slow disk
 * delay requests too, and refusing some would not help the others.
 */
export function overloadOf(load: Load): Overload | null {
  const { openExchanges, turnRequests, turnMs, scans, inHand, inHandMs, busyShare } = load;
  if (openExchanges > openExchangesMax) return "exchanges";
  if (turnRequests > overloadTurnRequestsMin && turnMs > overloadTurnMsMax) return "turn";
  const { scansPerThread, waitedMs, drainMs } = scans;
  const isBacklog = scansPerThread > overloadScansMin && waitedMs > overloadScanWaitedMsMin;
  // The pace of late is an estimate; how long the first has waited is none, but it is known late.
  if (isBacklog && Math.max(waitedMs, drainMs) > overloadScanWaitMsMax) return "scans";
  const isBusy = busyShare > overloadBusyShareMin;
  if (isBusy && inHand > overloadInHandMin && inHandMs > overloadInHandMsMax) return "in_hand";
  return null;
}

export interface AdmissionOptions {
  readonly scansWaiting: () => ScansWaiting;
  /** Requests of this thread that wait for a scan or for a flush. */
  readonly inHand: () => number;
  readonly nowMs?: () => number;
  /** Milliseconds that the loop was at work since the thread began. */
  readonly loopActiveMs?: () => number;
  /** Calls back when this turn of the loop has handled all that was ready. */
  readonly afterTurn?: (over: () => void) => void;
}

/**
 * Decides which requests one thread takes in. What has not been read waits in the kernel, and one turn of
 * the loop reads all of it: so a backlog shows as turns that take long, and a request that would wait is
 * refused before anything was done for it.
 */
export class Admission {
  readonly #scansWaiting: () => ScansWaiting;
  readonly #inHand: () => number;
  readonly #nowMs: () => number;
  readonly #afterTurn: (over: () => void) => void;
  readonly #pace: Pace;
  readonly #burst = new BurstAllowance();
  readonly #turnOver = (): void => {
    this.#turnIsWatched = false;
    this.#turnRequests = 0;
    for (const start of this.#late.splice(0, overloadLateStartsPerTurn)) start();
    if (this.#late.length > 0) this.#watchTurn();
    this.#pace.sample(this.#nowMs(), this.#inHand() + this.#late.length);
  };
  /** `overloadBurstMax` at most. */
  readonly #late: (() => void)[] = [];
  #turnIsWatched = false;
  #turnRequests = 0;
  #turnBeganMs = 0;

  constructor(options: AdmissionOptions) {
    this.#scansWaiting = options.scansWaiting;
    this.#inHand = options.inHand;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    // Immediates run behind the poll phase, in which uWS handles every socket that is ready.
    this.#afterTurn = options.afterTurn ?? ((over) => void setImmediate(over));
    this.#pace = new Pace(
      options.loopActiveMs ?? (() => performance.eventLoopUtilization().active),
    );
  }

  /** To be asked once for each request, as soon as it is there. */
  decide(openExchanges: number): Decision {
    const nowMs = this.#nowMs();
    if (this.#turnRequests === 0) {
      this.#turnBeganMs = nowMs;
      this.#watchTurn();
    }
    this.#turnRequests += 1;
    const inHand = this.#inHand() + this.#late.length;
    const overload = overloadOf({
      openExchanges,
      turnRequests: this.#turnRequests,
      turnMs: nowMs - this.#turnBeganMs,
      scans: this.#scansWaiting(),
      inHand,
      inHandMs: inHand / this.#pace.perMs,
      busyShare: this.#pace.busyShare,
    });
    const isRefused = overload === "exchanges" || (overload !== null && !this.#burst.takes(nowMs));
    if (isRefused) return overload;
    this.#pace.admitted();
    return overload === null ? "now" : "late";
  }

  /**
   * Calls back once those before it have begun, a few each turn: a burst that began in one turn would
   * hold up all others, and those most that are refused meanwhile.
   */
  startLate(start: () => void): void {
    this.#late.push(start);
  }

  #watchTurn(): void {
    if (this.#turnIsWatched) return;
    this.#turnIsWatched = true;
    this.#afterTurn(this.#turnOver);
  }
}

const alwaysServed: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/version"]);

/** What tells of the process itself is answered while everything else is refused. */
export function isAlwaysServed({ path, headers }: RequestHead): boolean {
  return alwaysServed.has(path) && header(headers, "x-svc-upstream-url") === undefined;
}
