import type { Refusal } from "../../contract/errors.ts";
import { bodyBytesLookedAtPerTurn } from "../../contract/limits.ts";
import type { BodyObserver } from "../../exchange/exchange.ts";
import type { BodyBuffer } from "./body-buffer.ts";

/** What one turn of the loop may still look at, of all large bodies together. */
class TurnShare {
  #left = bodyBytesLookedAtPerTurn;
  #isRenewed = true;

  /** How many of so many bytes; 0: none in this turn. */
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

/** Who waits for the observer to have seen what has come. */
export interface LookListener {
  /** Nothing more should come until `caughtUp`. */
  fellBehind(): void;
  caughtUp(): void;
  refused(refusal: Refusal): void;
}

/**
 * Shows a large body to its observer while it arrives. A client that sends as fast as it is read fills one turn
 * of the loop with 25 MB, for uWS reads on while its buffer is full; so a turn looks at
 * `bodyBytesLookedAtPerTurn` of all of them together, and the rest follows in the next ones.
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

  /** Something has come that was not looked at yet. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** More has come. */
  grown(): void {
    if (this.#isBehind || this.#ended) return;
    this.#look();
  }

  /** Looks at nothing more and tells nobody. */
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
