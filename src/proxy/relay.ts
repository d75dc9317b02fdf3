import type { Dispatcher } from "undici";
import type { Refusal } from "../contract/errors.ts";
import { upstreamErrorBytesMax } from "../contract/limits.ts";
import { streamErrorEvent } from "../contract/stream-error.ts";
import { isEncoded } from "../pipeline/answer-encoding.ts";
import {
  header,
  type Attempt,
  type Exchange,
  type GateSink,
  type RelayPlan,
  type UpstreamCall,
} from "../pipeline/exchange.ts";
import { Backpressure } from "./backpressure.ts";
import { observeEvents } from "./event-observation.ts";
import { flatHeaders, isEventStream } from "./raw-headers.ts";
import type { RelayState, StreamEnd, StreamingState } from "./relay-state.ts";
import { SseTap } from "./sse.ts";
import { upstreamRefusal } from "./upstream-failure.ts";

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
    if (status < 400 && (eventStream || !this.#plan.holdJson)) {
      const wire = eventStream && !isEncoded(headers) ? this.#plan.wire : null;
      const tap = wire === null ? null : new SseTap(wire);
      const { observer, streamRules } = this.#plan;
      if (eventStream && tap === null && streamRules?.unreadable) {
        return this.#refuse(controller, streamRules.unreadable);
      }
      const observation = tap === null || observer === null ? null : observeEvents(observer);
      const seen = { tap, observation, gate: null, over: null, blocked: null };
      const isGated = tap !== null && streamRules?.watches === false;
      const state: StreamingState = {
        name: "streaming",
        status,
        headers,
        isGated,
        pending: [],
        ...seen,
      };
      this.#state = state;
      if (wire !== null && streamRules) state.gate = streamRules.open(wire, this.#sinkOf(state));
      return;
    }
    const bytesMax = status < 400 ? this.#call.responseBytesMax : upstreamErrorBytesMax;
    this.#state = { name: "holding", status, headers, chunks: [], bytesMax, bytes: 0 };
    if (Number(header(headers, "content-length") ?? 0) > bytesMax)
      this.#tooLarge(controller, status);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const state = this.#state;
    if (state.name === "streaming") {
      state.tap?.push(chunk);
      const passed = state.observation === null ? chunk : state.observation.push(chunk);
      if (!state.isGated) this.#gather(state, passed);
      else this.#throughGate(state, passed);
    } else if (state.name === "holding") {
      state.bytes += chunk.length;
      if (state.bytes > state.bytesMax) this.#tooLarge(controller, state.status);
      else state.chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    const state = this.#state;
    if (state.name === "holding") {
      const body = Buffer.concat(state.chunks, state.bytes);
      this.#settle({ kind: "held", status: state.status, headers: state.headers, body });
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

  #tooLarge(controller: Dispatcher.DispatchController, status: number): void {
    const refusal = status < 400 ? answerTooLarge : errorTooLarge;
    this.#refuse(controller, { ...refusal, upstreamStatus: status });
  }

  /** Nothing of the answer has reached the client, and nothing will. */
  #refuse(controller: Dispatcher.DispatchController, refusal: Refusal): void {
    this.#settle({ kind: "failed", refusal });
    controller.abort(new Error(refusal.code));
  }

  #settle(attempt: Attempt): void {
    if (this.#state.name === "settled") return;
    this.#state = { name: "settled" };
    this.#listener.settled(attempt);
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#listener.released();
  }
}

function takePending({ pending }: StreamingState): Buffer {
  const [only = noBytes] = pending;
  const bytes = pending.length > 1 ? Buffer.concat(pending) : only;
  pending.length = 0;
  return bytes;
}

/** A plain body says by nothing but its framing that it is whole, an SSE answer by its last event. */
function endOf({ tap }: StreamingState, failure: Refusal | null): StreamEnd {
  if (tap === null)
    return failure === null ? { end: "complete" } : { end: "cut", refusal: failure };
  const progress = tap.finish();
  if (progress !== "running") return { end: progress };
  return { end: "cut", refusal: failure?.code === "upstream_timeout" ? failure : streamCut };
}

const noBytes = Buffer.alloc(0);

const clientLeft = new Error("the client left");

const streamCut: Refusal = {
  code: "upstream_error_in_2xx",
  message: "The provider's stream ended without its terminal event.",
};

const answerTooLarge: Refusal = {
  code: "upstream_response_too_large",
  message: "The provider's answer is larger than this account's limit.",
};

const errorTooLarge: Refusal = {
  code: "upstream_error",
  message: "The provider's error answer is too large to be relayed.",
};
