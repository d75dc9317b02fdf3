import type { Refusal } from "../../contract/errors.ts";
import { bodyBytesLookedAtPerTurn } from "../../contract/limits.ts";
import type { BodyObserver } from "../../exchange/exchange.ts";
import type { BodyBuffer } from "./body-buffer.ts";

/** The bytes that one turn of the loop may still examine, for all large bodies together. */
class TurnShare {
  #left = bodyBytesLookedAtPerTurn;
  #isRenewed = true;

  /** Returns how many of the bytes may be examined; 0 means none in this turn. */
  take(bytes: number): number {
    if (this.#isRenewed) {
      this.#isRenewed = false;
      setImmediate(() => {
        this.#left = bodyBytesLookedAtPerTurn;
        this.#isRenewed = true;
      });
    }
    const taken = Math.min(bytes, this.#left);
    this.#left -= taken;
    return taken;
  }
}

const share = new TurnShare();

/** Gets a call when the observer is behind the bytes that have arrived. */
export interface LookListener {
  /** No more bytes should come until `caughtUp`. */
  fellBehind(): void;
  caughtUp(): void;
  refused(refusal: Refusal): void;
}

/**
 * Shows a large body to its observer while it arrives. A fast client fills one turn of the loop with 25 MB,
 * because uWS keeps reading while its buffer is full. So one turn examines `bodyBytesLookedAtPerTurn` of all
 * bodies together, and later turns examine the rest.
 */
export class BodyLook {
  readonly #buffer: BodyBuffer;
  readonly #observer: BodyObserver;
  readonly #listener: LookListener;
  #seen = 0;
  #isBehind = false;
  #ended = false;

  constructor(buffer: BodyBuffer, observer: BodyObserver, listener: LookListener) {
    this.#buffer = buffer;
    this.#observer = observer;
    this.#listener = listener;
  }

  /** True if some bytes have arrived that were not looked at yet. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** More bytes have come. */
  grown(): void {
    if (this.#isBehind || this.#ended) return;
    this.#look();
  }

  /** Examines nothing more and makes no more calls. */
  end(): void {
    this.#ended = true;
  }

  #look(): void {
    const { bytes, length } = this.#buffer;
    const looked = share.take(length - this.#seen);
    this.#seen += looked;
    const refusal = looked === 0 ? undefined : this.#observer.grown(bytes, this.#seen);
    if (refusal !== undefined) {
      this.#ended = true;
      this.#listener.refused(refusal);
      return;
    }
    const wasBehind = this.#isBehind;
    this.#isBehind = this.#seen < length;
    if (this.#isBehind) setImmediate(() => this.#lookOn());
    if (this.#isBehind && !wasBehind) this.#listener.fellBehind();
    if (wasBehind && !this.#isBehind) this.#listener.caughtUp();
  }

  #lookOn(): void {
    if (!this.#ended) this.#look();
  }
}
