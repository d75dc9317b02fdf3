import { accept, type Outcome } from "../../contract/outcome.ts";
import { refuse, type Refusal } from "../../contract/errors.ts";
import { bodyBytesUnreserved } from "../../contract/limits.ts";
import type { BodyObserver } from "../../exchange/exchange.ts";
import { sharedMemoryReleased } from "./body-memory.ts";
import { BodyBuffer } from "./body-buffer.ts";
import { BodyDecoder } from "./body-decoder.ts";
import { BodyLook } from "./body-look.ts";
import type { ByteBudget } from "./byte-budget.ts";
import type { BodyFraming } from "./framing.ts";
import { Reservation } from "./reservation.ts";

/** The part of the socket's read side that the intake may slow down. */
export interface BodyFlow {
  pause(): void;
  resume(): void;
}

type Settle = (outcome: Outcome<Uint8Array>) => void;

interface WaitingChunk {
  readonly bytes: ArrayBuffer;
  readonly last: boolean;
}

/**
 * - `idle`: nobody asked for the body; chunks are dropped.
 * - `waiting`: a caller will ask for it soon; chunks are kept as they are. If they are long, the socket is paused.
 * - `taking`: chunks go into the buffer.
 * - `closed`: complete, refused or abandoned; further chunks are dropped, because uWS keeps
 *   delivering chunks after an early answer.
 */
type IntakeState =
  | { readonly name: "idle" }
  | {
      readonly name: "waiting";
      readonly chunks: WaitingChunk[];
      bytes: number;
      /** False when the time for asking is over: then no long body is kept. */
      isHeld: boolean;
    }
  | {
      readonly name: "taking";
      readonly buffer: BodyBuffer;
      readonly decoder: BodyDecoder | null;
      /** For a small body: it sees each chunk as it comes. */
      readonly observer: BodyObserver | null;
      /** For a large body. */
      readonly look: BodyLook | null;
      readonly settle: Settle;
    }
  | { readonly name: "closed" };

/**
 * Takes one request body: chunks in, one bounded contiguous buffer out (design: Intake). Before more than 64
 * KiB are buffered, the whole possible length is reserved in the budget. The bytes that have come stay
 * reserved until `release`, because the body lives until its exchange is over.
 */
export class BodyIntake {
  readonly #framing: BodyFraming;
  readonly #bytesMax: number;
  readonly #reservation: Reservation;
  readonly #flow: BodyFlow;
  #state: IntakeState = { name: "idle" };
  #hasReserved = false;
  #isWaiting = false;
  /** True if the end has come while the body waited for the budget or for its observer. */
  #isWhole = false;
  #sharedBytes = 0;

  constructor(framing: BodyFraming, bytesMax: number, budget: ByteBudget, flow: BodyFlow) {
    this.#framing = framing;
    this.#bytesMax = bytesMax;
    this.#reservation = new Reservation(budget);
    this.#flow = flow;
  }

  /** True if the bytes may be kept without a reservation before the body is asked for. */
  get isKeepable(): boolean {
    const { length } = this.#framing;
    return typeof length === "number" && length <= bodyBytesUnreserved;
  }

  /** Must be called while the request's handler runs, if `take` is only called later. */
  keepAll(): void {
    if (this.#state.name === "idle" && this.#framing.length !== 0) {
      this.#state = { name: "waiting", chunks: [], bytes: 0, isHeld: true };
    }
  }

  /** Ends `keepAll`. If `take` is not called in this turn of the loop, a long body is dropped. */
  endKeeping(): void {
    if (this.#state.name !== "waiting") return;
    this.#state.isHeld = false;
    if (this.#state.bytes > bodyBytesUnreserved) this.#flow.resume();
  }

  /**
   * Starts the intake. Must be called while the request's handler runs, because chunks that nothing asked for
   * are dropped, or after `keepAll`. Errors: `request_too_large` as soon as it is known, `invalid_request` if
   * the body does not decode or the client leaves, `detector_unavailable` if the byte budget stays full, and
   * the observer's refusals.
   */
  take(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    const { length, encoding } = this.#framing;
    if (length === 0) return Promise.resolve(accept(new Uint8Array(0)));
    if (typeof length === "number" && length > this.#bytesMax) {
      this.#state = { name: "closed" };
      return Promise.resolve(this.#tooLarge());
    }
    if (this.#state.name === "closed") return Promise.resolve(abandoned);
    const waiting = this.#state.name === "waiting" ? this.#state.chunks : [];
    return new Promise((settle) => {
      const exact = typeof length === "number" && encoding === null;
      const buffer = new BodyBuffer(exact ? length : null, this.#bytesMax);
      const decoder =
        encoding === null
          ? null
          : new BodyDecoder(encoding, this.#flow, {
              decoded: (bytes) => this.#append(bytes),
              ended: () => this.#complete(),
              failed: (reason) => this.#close(refuse("invalid_request", reason)),
            });
      const isLarge = buffer.bytesMax > bodyBytesUnreserved;
      const look = isLarge && observer !== null ? this.#lookAt(buffer, observer, decoder) : null;
      const shown = isLarge ? null : observer;
      this.#state = { name: "taking", buffer, decoder, observer: shown, look, settle };
      for (const { bytes, last } of waiting) this.chunk(bytes, last);
    });
  }

  /** A chunk from uWS. Its memory is invalid after this returns. */
  chunk(chunk: ArrayBuffer, last: boolean): void {
    const state = this.#state;
    if (state.name === "waiting") this.#keep(chunk, last);
    if (state.name !== "taking") return;
    if (state.decoder !== null) {
      state.decoder.write(new Uint8Array(chunk), last);
      return;
    }
    this.#append(new Uint8Array(chunk));
    if (last) this.#complete();
  }

  /** The client left. */
  abandon(): void {
    if (this.#state.name === "waiting") this.#state = { name: "closed" };
    this.#close(abandoned);
  }

  /** Reserves room for an answer that is buffered whole, until `release`; see `Exchange.reserve`. */
  reserve(bytes: number, later: (granted: boolean) => void): boolean {
    return this.#reservation.reserve(bytes, later);
  }

  /** Gives the reservation back. The exchange is over, and nothing reads its bodies any more. */
  release(): void {
    this.abandon();
    this.#reservation.release();
    if (this.#sharedBytes > 0) sharedMemoryReleased(this.#sharedBytes);
    this.#sharedBytes = 0;
  }

  #keep(chunk: ArrayBuffer, last: boolean): void {
    const state = this.#state;
    if (state.name !== "waiting") return;
    const before = state.bytes;
    state.bytes += chunk.byteLength;
    const isLong = state.bytes > bodyBytesUnreserved;
    if (isLong && !state.isHeld) {
      this.#state = { name: "closed" };
      return;
    }
    state.chunks.push({ bytes: chunk.slice(0), last });
    if (isLong && before <= bodyBytesUnreserved) this.#flow.pause();
  }

  #append(bytes: Uint8Array): void {
    const state = this.#state;
    if (state.name !== "taking" || bytes.length === 0) return;
    const { buffer } = state;
    if (buffer.length + bytes.length > bodyBytesUnreserved) this.#reserve(buffer.bytesMax);
    if (!buffer.append(bytes)) {
      this.#close(this.#tooLarge());
      return;
    }
    state.look?.grown();
    const refusal = state.observer?.grown(buffer.bytes, buffer.length);
    if (refusal !== undefined) this.#close({ ok: false, refusal });
  }

  /** While the observer is behind, the socket is paused. A decoder paces the socket itself. */
  #lookAt(buffer: BodyBuffer, observer: BodyObserver, decoder: BodyDecoder | null): BodyLook {
    const paces = decoder === null;
    return new BodyLook(buffer, observer, {
      fellBehind: () => {
        if (paces) this.#flow.pause();
      },
      caughtUp: () => {
        if (paces && !this.#isWaiting) this.#flow.resume();
        if (this.#isWhole) this.#complete();
      },
      refused: (refusal) => this.#close({ ok: false, refusal }),
    });
  }

  #complete(): void {
    const state = this.#state;
    if (state.name !== "taking") return;
    this.#isWhole = this.#isWaiting || state.look?.isBehind === true;
    if (!this.#isWhole) this.#close(accept(state.buffer.whole()));
  }

  #close(outcome: Outcome<Uint8Array>): void {
    const state = this.#state;
    if (state.name !== "taking") return;
    this.#state = { name: "closed" };
    const { bytes } = state.buffer;
    if (bytes.buffer instanceof SharedArrayBuffer) this.#sharedBytes = bytes.length;
    state.decoder?.destroy();
    if (state.look?.isBehind === true && state.decoder === null) this.#flow.resume();
    state.look?.end();
    this.#isWaiting = false;
    if (this.#reservation.stopWaiting()) this.#flow.resume();
    const keeps = outcome.ok && bytes.length > bodyBytesUnreserved;
    this.#reservation.keep(keeps ? bytes.length : 0);
    state.settle(outcome);
  }

  get #isBehind(): boolean {
    return this.#state.name === "taking" && this.#state.look?.isBehind === true;
  }

  /** Reserves once. Until there is room, the socket and the decoder are paused. */
  #reserve(bytes: number): void {
    if (this.#hasReserved) return;
    this.#hasReserved = true;
    const decoder = this.#state.name === "taking" ? this.#state.decoder : null;
    const hasRoom = this.#reservation.reserve(bytes, (granted) => {
      this.#isWaiting = false;
      if (!this.#isBehind) this.#flow.resume();
      if (!granted) {
        this.#close({ ok: false, refusal: budgetExhausted });
        return;
      }
      decoder?.resume();
      if (this.#isWhole) this.#complete();
    });
    if (hasRoom) return;
    this.#isWaiting = true;
    this.#flow.pause();
    decoder?.pause();
  }

  #tooLarge(): Outcome<never> {
    return refuse(
      "request_too_large",
      `The request body is larger than the ${this.#bytesMax} bytes that this deployment accepts.`,
      { details: { limit: this.#bytesMax } },
    );
  }
}

const abandoned = refuse("invalid_request", "The client left before its request was complete.");

const budgetExhausted: Refusal = {
  code: "detector_unavailable",
  message: "Too many large request bodies are in flight to take this one in for its scan.",
  retryAfterSeconds: 1,
};
