import type { Dispatcher } from "undici";
import type { Refusal } from "../contract/errors.ts";
import { upstreamEndMsMax } from "../contract/limits.ts";
import { streamErrorEvent } from "../contract/stream-error.ts";
import { isEncoded } from "../pipeline/answer-encoding.ts";
import {
  hasNoBody,
  header,
  type Attempt,
  type Exchange,
  type GateSink,
  type RelayPlan,
  type UpstreamCall,
} from "../pipeline/exchange.ts";
import { Backpressure } from "./backpressure.ts";
import { observeEvents } from "./event-observation.ts";
import { HeldBytes } from "./held-bytes.ts";
import { flatHeaders, isEventStream } from "./raw-headers.ts";
import {
  endOf,
  streamingState,
  takePending,
  type HoldingState,
  type RelayState,
  type StreamEnd,
  type StreamingState,
} from "./relay-state.ts";
import { SseTap } from "./sse.ts";
import { answerTooLarge, noRoom, upstreamRefusal } from "./upstream-failure.ts";

export interface RelayListener {
  /** Once, with what came of the call. */
  readonly settled: (attempt: Attempt) => void;
  /** Once, when the connection is free for another call or broken. */
  readonly released: () => void;
}

/**
 * An undici handler that brings one answer to one exchange: bytes through as they come, pressure
 * back (design: Relay). What one read of the provider's socket brought goes on in one write, before
 * the next read; an answer that came whole in one read goes on whole. It alone decides how the
 * attempt ended.
 */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #call: UpstreamCall;
  readonly #plan: RelayPlan;
  readonly #exchange: Exchange;
  readonly #listener: RelayListener;
  readonly #pressure = new Backpressure();
  #state: RelayState = { name: "connecting" };
  #controller: Dispatcher.DispatchController | null = null;
  #released = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(call: UpstreamCall, plan: RelayPlan, exchange: Exchange, listener: RelayListener) {
    this.#call = call;
    this.#plan = plan;
    this.#exchange = exchange;
    this.#listener = listener;
    exchange.onGone(() => this.#clientGone());
    exchange.onDrained(() => this.#pressure.roomAgain("client"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#pressure.attach(controller);
    if (this.#exchange.state === "gone") {
      controller.abort(clientLeft);
      return;
    }
    this.#state = { name: "sent" };
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 103 Early Hints and the like come before the answer.
    if (status < 200) return;
    const headers = flatHeaders(controller.rawHeaders);
    const eventStream = isEventStream(headers);
    const { holdJson, heldBytesMax = Infinity } = this.#plan;
    if (status < 400 && (eventStream || !holdJson)) {
      this.#stream(controller, streamingState(status, headers), eventStream);
      return;
    }
    const { responseBytesMax } = this.#call;
    const bytesMax = status < 400 ? Math.min(responseBytesMax, heldBytesMax) : responseBytesMax;
    const isBodiless = hasNoBody(this.#call.method, status);
    // NaN where it says none. Where there is no body it is that of another answer.
    const length = isBodiless ? 0 : Number(header(headers, "content-length"));
    const lengthMax = length <= bytesMax ? length : bytesMax;
    const held: HeldBytes = new HeldBytes(lengthMax, (bytes) => this.#reserve(held, bytes));
    const state: HoldingState = { name: "holding", status, headers, held, bytesMax };
    this.#state = state;
    if (length > bytesMax) this.#outgrown(state);
  }

  #stream(
    controller: Dispatcher.DispatchController,
    state: StreamingState,
    eventStream: boolean,
  ): void {
    const { observer, streamRules } = this.#plan;
    const wire = eventStream && !isEncoded(state.headers) ? this.#plan.wire : null;
    if (eventStream && wire === null && streamRules?.unreadable) {
      return this.#refuse(controller, streamRules.unreadable);
    }
    this.#state = state;
    if (wire === null) return;
    state.tap = new SseTap(wire);
    state.observation = observer === null ? null : observeEvents(observer);
    state.isGated = streamRules?.watches === false;
    if (streamRules) state.gate = streamRules.open(wire, this.#sinkOf(state));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const state = this.#state;
    if (state.name === "streaming") {
      if (state.over !== null) return;
      state.tap?.push(chunk);
      const passed = state.observation === null ? chunk : state.observation.push(chunk);
      if (!state.isGated) this.#gather(state, passed);
      else {
        this.#throughGate(state, passed);
        if (state.tap?.hasEnded === true) this.#terminated(state, state.tap);
      }
    } else if (state.name === "holding") {
      if (state.held.length + chunk.length > state.bytesMax) this.#outgrown(state, chunk);
      else if (!state.held.add(chunk)) controller.pause();
    }
  }

  onResponseEnd(): void {
    const state = this.#state;
    if (state.name === "holding") {
      const { status, headers, held } = state;
      this.#settle({ kind: "held", status, headers, body: held.whole() });
    } else if (state.name === "streaming") {
      this.#endBytes(state, null);
    }
    this.#release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const state = this.#state;
    const refusal = upstreamRefusal(error);
    switch (state.name) {
      case "connecting":
        this.#settle(
          this.#exchange.state === "gone"
            ? { kind: "abandoned", connectFailed: error !== clientLeft }
            : { kind: "unsent", refusal },
        );
        break;
      case "sent":
      case "holding":
        this.#settle({ kind: "failed", refusal });
        break;
      case "streaming":
        this.#endBytes(state, refusal);
        break;
      case "settled":
        break;
    }
    this.#release();
  }

  /**
   * A read of the provider's socket may bring many chunks, each a call of its own; a write for each
   * would be a system call for each. The microtask runs when the whole read has been looked at.
   */
  #gather(state: StreamingState, bytes: Buffer): void {
    if (bytes.length === 0) {
      // All was kept back; what the provider charges for is an answer that has begun all the same.
      if (state.pending.length === 0) this.#begin(state);
      return;
    }
    if (state.pending.push(bytes) === 1) queueMicrotask(() => this.#flush(state));
  }

  #begin(state: StreamingState): void {
    if (this.#exchange.state !== "open") return;
    this.#exchange.begin(state.status, this.#plan.answerHeaders(state.headers));
  }

  #flush(state: StreamingState): void {
    const bytes = takePending(state);
    if (bytes.length === 0 || state !== this.#state) return;
    this.#begin(state);
    const roomLeft = this.#exchange.write(bytes);
    state.gate?.push(bytes);
    if (!roomLeft) this.#pressure.full("client");
    if (state.tap?.hasEnded === true) this.#terminated(state, state.tap);
  }

  /**
   * The provider's terminal event has come, and its response is still open. A stream that is whole is
   * over: what a provider says behind its last event is for nobody. Behind an error, more may be told.
   */
  #terminated(state: StreamingState, { progress }: SseTap): void {
    this.#closing ??= setTimeout(() => {
      if (this.#state === state) this.#endBytes(state, null);
      this.#controller?.abort(keptOpen);
    }, upstreamEndMsMax);
    if (progress !== "complete") return;
    // For a slow client it may have been stopped; its end is wanted, that its connection be free.
    this.#pressure.left("client");
    this.#pressure.left("gate");
    this.#endBytes(state, null);
  }

  #throughGate(state: StreamingState, bytes: Buffer): void {
    if (state.blocked === null && state.gate?.push(bytes) === false) this.#pressure.full("gate");
  }

  #sinkOf(state: StreamingState): GateSink {
    return {
      write: (bytes) => {
        this.#begin(state);
        if (!this.#exchange.write(bytes)) this.#pressure.full("client");
      },
      roomAgain: () => this.#pressure.roomAgain("gate"),
      blocked: (refusal) => this.#block(state, refusal),
      finished: () => {
        if (state.over !== null) this.#endStream(state, state.over);
      },
    };
  }

  /**
   * A rule stops the answer. One that has not begun is refused and costs nothing; else the client is
   * told, and the rest is read for what it costs, where the service pays for it.
   */
  #block(state: StreamingState, refusal: Refusal): void {
    state.blocked = refusal;
    const { wire, drainWithoutClient } = this.#plan;
    if (this.#exchange.state === "open") {
      this.#settle({ kind: "failed", refusal });
      this.#controller?.abort(new Error(refusal.code));
      return;
    }
    if (wire !== null) this.#exchange.write(Buffer.from(streamErrorEvent(wire, refusal)));
    this.#exchange.end();
    if (state.over !== null) this.#settleBlocked(state, refusal);
    else if (drainWithoutClient) {
      this.#pressure.left("gate");
      this.#pressure.left("client");
    } else {
      this.#settleBlocked(state, refusal);
      this.#controller?.abort(new Error(refusal.code));
    }
  }

  /** The provider's bytes are over; `failure` says what broke them off, null: they came to their end. */
  #endBytes(state: StreamingState, failure: Refusal | null): void {
    if (state.over !== null) return;
    const kept = state.observation?.finish();
    const over = (state.over = endOf(state, failure));
    if (kept !== undefined && kept.length > 0) {
      if (state.isGated) this.#throughGate(state, kept);
      else state.pending.push(kept);
    }
    // A gate that watches sees the bytes before it is told of their end.
    if (state.gate !== null) this.#flush(state);
    if (state.blocked !== null) this.#settleBlocked(state, state.blocked);
    else if (state.gate === null) this.#endStream(state, over);
    else state.gate.finish();
  }

  #settleBlocked({ status }: StreamingState, { code: errorCode }: Refusal): void {
    const clientGone = this.#exchange.state === "gone";
    this.#settle({ kind: "relayed", status, end: "blocked", errorCode, clientGone });
  }

  /** All of a streamed answer that goes on has gone on. */
  #endStream(state: StreamingState, over: StreamEnd): void {
    const { status, tap } = state;
    const { end } = over;
    const clientGone = this.#exchange.state === "gone";
    if (end !== "cut") {
      this.#endWhole(state);
      this.#settle({ kind: "relayed", status, end, errorCode: null, clientGone });
      return;
    }
    const { refusal } = over;
    this.#flush(state);
    if (this.#exchange.state === "open") {
      this.#settle({ kind: "failed", refusal: { ...refusal, upstreamStatus: status } });
      return;
    }
    if (tap === null || this.#plan.wire === null) {
      // Only a broken connection tells a client of a plain body that it is incomplete.
      this.#exchange.cut();
    } else {
      const separator = tap.betweenEvents ? "" : "\n\n";
      this.#exchange.write(Buffer.from(separator + streamErrorEvent(this.#plan.wire, refusal)));
      this.#exchange.end();
    }
    this.#settle({ kind: "relayed", status, end, errorCode: refusal.code, clientGone });
  }

  /** The last bytes and the end in one write; an answer that has not begun, all in one. */
  #endWhole(state: StreamingState): void {
    const { status, headers } = state;
    const last = takePending(state);
    if (this.#exchange.state !== "open") {
      this.#exchange.end(last);
      return;
    }
    if (last.length > 0) {
      const answer = this.#plan.answerHeaders(headers);
      this.#exchange.respond({ status, headers: answer, body: last });
      return;
    }
    this.#begin(state);
    this.#exchange.end();
  }

  #clientGone(): void {
    const state = this.#state;
    if (state.name === "settled") return;
    if (this.#plan.drainWithoutClient && state.name !== "connecting") {
      this.#pressure.left("client");
      return;
    }
    // Before the connection stands there is no controller; `onRequestStart` sees the state.
    if (state.name === "connecting") return;
    if (state.name === "streaming") {
      const { status } = state;
      this.#settle({
        kind: "relayed",
        status,
        end: "abandoned",
        errorCode: null,
        clientGone: true,
      });
    } else {
      this.#settle({ kind: "abandoned" });
    }
    this.#controller?.abort(clientLeft);
  }

  #reserve(held: HeldBytes, bytes: number): boolean {
    return this.#exchange.reserve(bytes, (granted) => {
      if (this.#state.name === "settled") return;
      held.granted();
      if (granted) this.#controller?.resume();
      else this.#refuse(this.#controller, noRoom);
    });
  }

  /** The answer is longer than it is held; `chunk` is the one that says so. */
  #outgrown({ status, headers, held }: HoldingState, chunk: Buffer | null = null): void {
    const { heldBytesMax } = this.#plan;
    if (status < 400 && heldBytesMax !== undefined) {
      const state = streamingState(status, headers);
      this.#state = state;
      for (const bytes of [held.whole(), chunk]) {
        if (bytes !== null && bytes.length > 0) this.#gather(state, bytes);
      }
      return;
    }
    this.#refuse(this.#controller, { ...answerTooLarge, upstreamStatus: status });
  }

  /** Nothing of the answer has reached the client, and nothing will. */
  #refuse(controller: Dispatcher.DispatchController | null, refusal: Refusal): void {
    this.#settle({ kind: "failed", refusal });
    controller?.abort(new Error(refusal.code));
  }

  #settle(attempt: Attempt): void {
    if (this.#state.name === "settled") return;
    this.#state = { name: "settled" };
    this.#listener.settled(attempt);
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    clearTimeout(this.#closing);
    this.#listener.released();
  }
}

const clientLeft = new Error("the client left");
const keptOpen = new Error("the provider kept its response open behind its last event");
