import { performance } from "node:perf_hooks";
import {
  openExchangesMax,
  overloadBusyShareMin,
  overloadInHandMin,
  overloadInHandMsMax,
  overloadLateStartsPerTurn,
  overloadPaceMs,
  overloadSampleMs,
  overloadScansMin,
  overloadScanWaitedMsMin,
  overloadScanWaitMsMax,
  overloadTurnMsMax,
  overloadTurnRequestsMin,
} from "../../contract/limits.ts";
import { header, type RequestHead } from "../../exchange/exchange.ts";
import { BurstAllowance } from "./burst-allowance.ts";

/**
 * The resource that is overloaded: new requests in one turn of the loop, scans, requests in hand, or
 * exchanges.
 */
export type Overload = "turn" | "scans" | "in_hand" | "exchanges";

/** Begin the request now, begin it late with `startLate`, or refuse it for this overload. */
export type Decision = "now" | "late" | Overload;

/** Scans that wait for a thread of the scanner. */
export interface ScansWaiting {
  readonly scansPerThread: number;
  /** How long the first of them has waited. */
  readonly waitedMs: number;
  /** How long one more would wait. */
  readonly drainMs: number;
}

/** The measurements that tell how long a new request would wait. */
export interface Load {
  /** All open exchanges of this thread. */
  readonly openExchanges: number;
  /** Requests that this turn of the loop has brought, and how long the turn has taken them in. */
  readonly turnRequests: number;
  readonly turnMs: number;
  readonly scans: ScansWaiting;
  /** Requests that wait for the gateway, not for a client or a provider, and how long one more would wait. */
  readonly inHand: number;
  readonly inHandMs: number;
  /** The share of the last period in which the loop was busy. */
  readonly busyShare: number;
}

/**
 * The reason why a new request would wait too long; null if it would not. Signs of a long wait count only if
 * many requests cause it. A pause of the process, one long scan and a slow disk delay requests too, but
 * refusing some requests would not help the others.
 */
export function overloadOf(load: Load): Overload | null {
  const { openExchanges, turnRequests, turnMs, scans, inHand, inHandMs, busyShare } = load;
  if (openExchanges > openExchangesMax) return "exchanges";
  if (turnRequests > overloadTurnRequestsMin && turnMs > overloadTurnMsMax) return "turn";
  const { scansPerThread, waitedMs, drainMs } = scans;
  const isBacklog = scansPerThread > overloadScansMin && waitedMs > overloadScanWaitedMsMin;
  // The recent pace gives an estimate of the wait. The time that the first scan has waited is exact, but
  // known late.
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
  /** Milliseconds for which the loop was busy since the thread began. */
  readonly loopActiveMs?: () => number;
  /** Calls back when this turn of the loop has handled everything that was ready. */
  readonly afterTurn?: (over: () => void) => void;
}

/**
 * Decides which requests one thread takes in. Unread requests wait in the kernel, and one turn of the loop
 * reads all of them. So a backlog shows as long turns, and a request that would wait is refused before any
 * work is done for it.
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
  /** At most `overloadBurstMax`. */
  readonly #late: (() => void)[] = [];
  #turnIsWatched = false;
  #turnRequests = 0;
  #turnBeganMs = 0;

  constructor(options: AdmissionOptions) {
    this.#scansWaiting = options.scansWaiting;
    this.#inHand = options.inHand;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    // Immediates run after the poll phase, in which uWS handles every socket that is ready.
    this.#afterTurn = options.afterTurn ?? ((over) => void setImmediate(over));
    this.#pace = new Pace(
      options.loopActiveMs ?? (() => performance.eventLoopUtilization().active),
    );
  }

  /** Must be called once for each request, as soon as it arrives. */
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
   * Calls back after the earlier late requests have begun, a few in each turn. A burst that began in one turn
   * would delay all others, and most of all the requests that are refused meanwhile.
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

/**
 * The rate at which the gateway finishes requests, and how busy the loop is. If the loop is never idle, the
 * rate is what this machine can do. Then the wait is the number of requests in hand divided by the rate.
 */
export class Pace {
  readonly #loopActiveMs: () => number;
  #perMs = 0;
  #busyShare = 0;
  #admitted = 0;
  #sampledAtMs = -Infinity;
  #activeMs = 0;
  #inHand = 0;

  /** `loopActiveMs` counts the time for which the loop was busy. */
  constructor(loopActiveMs: () => number) {
    this.#loopActiveMs = loopActiveMs;
  }

  /** Requests per millisecond; 0 before the first sample. */
  get perMs(): number {
    return this.#perMs;
  }

  get busyShare(): number {
    return this.#busyShare;
  }

  admitted(): void {
    this.#admitted += 1;
  }

  /** Must be called at the end of a turn; most calls do nothing. */
  sample(nowMs: number, inHand: number): void {
    const elapsedMs = nowMs - this.#sampledAtMs;
    if (elapsedMs < overloadSampleMs) return;
    const activeMs = this.#loopActiveMs();
    // After a period without requests, it is unknown how the time was spent.
    const isFresh = elapsedMs > 2 * overloadPaceMs;
    this.#busyShare = isFresh ? 0 : (activeMs - this.#activeMs) / elapsedMs;
    const done = this.#admitted - (inHand - this.#inHand);
    if (!isFresh) {
      const weight = Math.min(1, elapsedMs / overloadPaceMs);
      this.#perMs += (Math.max(0, done) / elapsedMs - this.#perMs) * weight;
    }
    this.#sampledAtMs = nowMs;
    this.#activeMs = activeMs;
    this.#inHand = inHand;
    this.#admitted = 0;
  }
}

const alwaysServed: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/version"]);

/** Requests about the process itself are answered even while everything else is refused. */
export function isAlwaysServed({ path, headers }: RequestHead): boolean {
  return alwaysServed.has(path) && header(headers, "x-svc-upstream-url") === undefined;
}
