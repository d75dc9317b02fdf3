import type { Dispatcher } from "undici";
import type { Refusal } from "../contract/errors.ts";
import { upstreamErrorBytesMax } from "../contract/limits.ts";
import { streamErrorEvent } from "../contract/stream-error.ts";
import {
  header,
  type Attempt,
  type Exchange,
  type FlatHeaders,
  type RelayEnd,
  type RelayPlan,
  type UpstreamCall,
} from "../pipeline/exchange.ts";
import { observeEvents, type EventObservation } from "./event-observation.ts";
import { SseTap } from "./sse.ts";
import { upstreamRefusal } from "./upstream-failure.ts";

export interface RelayListener {
  /** Once, with what came of the call. */
  readonly settled: (attempt: Attempt) => void;
  /** Once, when the connection is free for another call or broken. */
  readonly released: () => void;
}

/**
 * - `connecting`: no byte has left, another account may be tried;
 * - `sent`: the request is on its way, no answer yet;
 * - `holding`: the answer is kept until it is whole;
 * - `streaming`: the answer goes to the client as it comes;
 * - `settled`: over.
 */
type RelayState =
  | { readonly name: "connecting" }
  | { readonly name: "sent" }
  | {
      readonly name: "holding";
      readonly status: number;
      readonly headers: FlatHeaders;
      readonly chunks: Buffer[];
      readonly bytesMax: number;
      bytes: number;
    }
  | StreamingState
  | { readonly name: "settled" };

interface StreamingState {
  readonly name: "streaming";
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly tap: SseTap | null;
  readonly observation: EventObservation | null;
}

/**
 * An undici handler that brings one answer to one exchange: bytes through as they come, pressure
 * back (design: Relay). It never delays or joins chunks, and it alone decides how the attempt ended.
 */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #call: UpstreamCall;
  readonly #plan: RelayPlan;
  readonly #exchange: Exchange;
  readonly #listener: RelayListener;
  #state: RelayState = { name: "connecting" };
  #controller: Dispatcher.DispatchController | null = null;
  #released = false;

  constructor(call: UpstreamCall, plan: RelayPlan, exchange: Exchange, listener: RelayListener) {
    this.#call = call;
    this.#plan = plan;
    this.#exchange = exchange;
    this.#listener = listener;
    exchange.onGone(() => this.#clientGone());
    exchange.onDrained(() => this.#controller?.resume());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
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
      const readable = header(headers, "content-encoding") === undefined;
      const wire = eventStream && readable ? this.#plan.wire : null;
      const tap = wire === null ? null : new SseTap(wire);
      const { streamRules } = this.#plan;
      if (eventStream && streamRules) return this.#refuse(controller, streamRules.unreadable);
      const { observer } = this.#plan;
      const observation = tap === null || observer === null ? null : observeEvents(observer);
      this.#state = { name: "streaming", status, headers, tap, observation };
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
      if (this.#exchange.state === "open") {
        this.#exchange.begin(state.status, this.#plan.answerHeaders(state.headers));
      }
      const passed = state.observation === null ? chunk : state.observation.push(chunk);
      const roomLeft = passed.length === 0 || this.#exchange.write(passed);
      state.tap?.push(chunk);
      if (!roomLeft) controller.pause();
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
      this.#endStream(state, streamCut);
    }
    this.#release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const state = this.#state;
    const refusal = upstreamRefusal(error);
    switch (state.name) {
      case "connecting":
        this.#settle(
          this.#exchange.state === "gone" ? { kind: "abandoned" } : { kind: "unsent", refusal },
        );
        break;
      case "sent":
      case "holding":
        this.#settle({ kind: "failed", refusal });
        break;
      case "streaming":
        this.#endStream(state, refusal.code === "upstream_timeout" ? refusal : streamCut);
        break;
      case "settled":
        break;
    }
    this.#release();
  }

  /** The bytes of a streamed answer are over, in a good way or not; `cut` says why if not. */
  #endStream({ status, headers, tap, observation }: StreamingState, cut: Refusal): void {
    const kept = observation?.finish();
    if (kept !== undefined && kept.length > 0) this.#exchange.write(kept);
    const clientGone = this.#exchange.state === "gone";
    const unwatchedEnd = this.#controller?.aborted === true ? "cut" : "complete";
    const progress = tap === null ? unwatchedEnd : tap.finish();
    const end: RelayEnd = progress === "running" ? "cut" : progress;
    const attempt = { kind: "relayed", status, end, errorCode: null, clientGone } as const;
    if (end !== "cut") {
      // An answer without a body has not begun yet.
      if (this.#exchange.state === "open") {
        this.#exchange.begin(status, this.#plan.answerHeaders(headers));
      }
      this.#exchange.end();
      this.#settle(attempt);
    } else if (this.#exchange.state === "open") {
      this.#settle({ kind: "failed", refusal: cut });
    } else if (tap === null || this.#plan.wire === null) {
      // Only a broken connection tells a client of a plain body that it is incomplete.
      this.#exchange.cut();
      this.#settle({ ...attempt, errorCode: cut.code });
    } else {
      const separator = tap.betweenEvents ? "" : "\n\n";
      this.#exchange.write(Buffer.from(separator + streamErrorEvent(this.#plan.wire, cut)));
      this.#exchange.end();
      this.#settle({ ...attempt, errorCode: cut.code });
    }
  }

  #clientGone(): void {
    const state = this.#state;
    if (state.name === "settled") return;
    if (this.#plan.drainWithoutClient && state.name !== "connecting") {
      this.#controller?.resume();
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
    this.#refuse(
      controller,
      status < 400 ? { ...answerTooLarge, upstreamStatus: status } : errorTooLarge,
    );
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

function isEventStream(headers: FlatHeaders): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(header(headers, "content-type") ?? "");
}

type RawHeaders = Dispatcher.DispatchController["rawHeaders"];

/** undici's raw headers (alternating buffers) as lower-case names and latin1 values. */
function flatHeaders(raw: RawHeaders): FlatHeaders {
  if (!Array.isArray(raw)) throw new Error("undici gave no raw headers");
  return raw.map((part: Buffer | string, i) => {
    const text = typeof part === "string" ? part : part.toString("latin1");
    return i % 2 === 0 ? text.toLowerCase() : text;
  });
}
