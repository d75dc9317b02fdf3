import type { Outcome } from "../../contract/outcome.ts";
import type { BodyObserver } from "../../exchange/exchange.ts";
import type { BodyFlow, BodyIntake } from "./body.ts";
import type { ResponseSocket } from "./last-response.ts";
import { LingeringClose } from "./lingering-close.ts";

/**
 * The read side of one exchange: it gives the bytes of the request's body to the intake, knows whether the
 * request is over, and reads the rest of the body after an early answer. The responder owns it, and tells it
 * when the answer is over and when the connection is closed.
 */
export class RequestReader implements BodyFlow {
  readonly #res: ResponseSocket;
  #intake: BodyIntake | null = null;
  #isOver: boolean;
  #isAnswered = false;
  /** Set if the answer was sent before the request was over, and the connection must be closed. */
  #lingering: LingeringClose | null = null;

  constructor(res: ResponseSocket, hasBody: boolean) {
    this.#res = res;
    this.#isOver = !hasBody;
  }

  /** True if the last byte of the request has come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True while the rest of the body is read after an early answer. */
  get isLingering(): boolean {
    return this.#lingering !== null;
  }

  /** Has no effect after the answer, because uWS throws if a response is used after its end. */
  pause(): void {
    if (!this.#isAnswered) this.#res.pause();
  }

  /** Has no effect after the answer, like `pause`. */
  resume(): void {
    if (!this.#isAnswered) this.#res.resume();
  }

  /** Must be called while the request's handler runs, because uWS drops bytes that come without a listener. */
  attach(intake: BodyIntake): void {
    this.#intake = intake;
    this.#listen();
  }

  /** Throws before `attach`. Errors: those of `BodyIntake.take`. */
  body(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    if (this.#intake === null) throw new Error("the body was read before its intake was set");
    return this.#intake.take(observer);
  }

  /** Throws before `attach`. Otherwise as `Exchange.holdBody`. */
  async hold<T>(wait: Promise<T>): Promise<T> {
    if (this.#intake === null) throw new Error("the body was kept before its intake was set");
    this.#intake.keepAll();
    try {
      return await wait;
    } finally {
      this.#intake.endKeeping();
    }
  }

  /** Throws before `attach`. Otherwise as `BodyIntake.reserve`. */
  reserve(bytes: number, later: (granted: boolean) => void): boolean {
    if (this.#intake === null) throw new Error("memory was reserved before the intake was set");
    return this.#intake.reserve(bytes, later);
  }

  /** Must be called before an early answer. Without an intake, the rest of the body is dropped. */
  readRest(): void {
    if (this.#intake === null) this.#listen();
  }

  /** Must be called after an early answer. Closes the connection when the rest of the body has come. */
  linger(): void {
    this.#lingering = new LingeringClose(() => this.#res.close());
  }

  /** Must be called when the exchange's answer is over or its client has left. */
  answered(): void {
    this.#isAnswered = true;
    this.#intake?.abandon();
  }

  /** Must be called when the connection is closed. True if it was lingering. */
  disconnected(): boolean {
    if (this.#lingering === null) return false;
    this.#lingering.stop();
    this.#lingering = null;
    return true;
  }

  /** uWS delivers the rest of the body after an early answer too; the intake drops it. */
  #listen(): void {
    this.#res.onData((chunk, last) => {
      if (last) this.#isOver = true;
      this.#intake?.chunk(chunk, last);
      this.#lingering?.took(chunk.byteLength, last);
    });
  }
}
