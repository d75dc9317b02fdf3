import type { Dispatcher } from "undici";
import type { Refusal } from "../../contract/errors.ts";
import { upstreamEndMsMax } from "../../contract/limits.ts";
import { isEncoded } from "../../exchange/answer-encoding.ts";
import {
  hasNoBody,
  header,
  type Attempt,
  type Exchange,
  type FlatHeaders,
  type RelayPlan,
  type UpstreamCall,
} from "../../exchange/exchange.ts";
import { Backpressure } from "./backpressure.ts";
import { BufferedBytes } from "./buffered-bytes.ts";
import { flatHeaders, isEventStream, mayBeEventStream } from "../upstream/raw-headers.ts";
import type { BufferingState, RelayState } from "./relay-state.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import { answerTooLarge, noRoom, upstreamRefusal } from "../upstream/upstream-failure.ts";

export interface RelayListener {
  /** Called once, with the result of the call. */
  readonly settled: (attempt: Attempt) => void;
  /** Called once, when the connection is broken or free for another call. */
  readonly released: () => void;
}

/**
 * An undici handler that brings one answer to one exchange: it passes bytes on and applies backpressure
 * (design: Relay). An answer that must be seen whole is buffered; any other is streamed.
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
    // 103 Early Hints and similar responses come before the answer.
    if (status < 200) return;
    this.#plan.headCame?.();
    const headers = flatHeaders(controller.rawHeaders);
    const eventStream = isEventStream(headers);
    const { bufferJson, bufferedBytesMax = Infinity } = this.#plan;
    if (status < 400 && (eventStream || !bufferJson)) {
      this.#stream(controller, status, headers, eventStream);
      return;
    }
    const { responseBytesMax } = this.#call;
    const bytesMax = status < 400 ? Math.min(responseBytesMax, bufferedBytesMax) : responseBytesMax;
    const isBodiless = hasNoBody(this.#call.method, status);
    // NaN if no length is declared. Without a body, the header has the length of another answer.
    const length = isBodiless ? 0 : Number(header(headers, "content-length"));
    const lengthMax = length <= bytesMax ? length : bytesMax;
    const buffered: BufferedBytes = new BufferedBytes(lengthMax, (bytes) =>
      this.#reserve(buffered, bytes),
    );
    const state: BufferingState = { name: "buffering", status, headers, buffered, bytesMax };
    this.#state = state;
    if (length > bytesMax) this.#outgrown(state);
  }

  #stream(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: FlatHeaders,
    eventStream: boolean,
  ): void {
    const { streamRules } = this.#plan;
    const wire = eventStream && !isEncoded(headers) ? this.#plan.wire : null;
    if (eventStream && wire === null && streamRules?.unreadable) {
      return this.#refuse(controller, streamRules.unreadable);
    }
    const answer = this.#streamed(status, headers);
    if (wire !== null) answer.watch(wire);
    else if (eventStream && !isEncoded(headers) && this.#plan.passedShape !== undefined) {
      answer.watchEnd(this.#plan.passedShape);
    }
  }

  #streamed(status: number, headers: FlatHeaders): StreamedAnswer {
    const answer = new StreamedAnswer(status, headers, {
      plan: this.#plan,
      exchange: this.#exchange,
      pressure: this.#pressure,
      isSettled: () => this.#state.name === "settled",
      settle: (attempt) => this.#settle(attempt),
      abort: (reason) => this.#controller?.abort(reason),
      closeSoon: () => {
        this.#closing ??= setTimeout(() => {
          answer.ended(null);
          this.#controller?.abort(keptOpen);
        }, upstreamEndMsMax);
      },
    });
    this.#state = { name: "streaming", answer };
    return answer;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state.name === "buffering" && this.#beginsStream(this.#state, chunk)) {
      this.#stream(controller, this.#state.status, this.#state.headers, true);
    }
    const state = this.#state;
    if (state.name === "streaming") {
      state.answer.push(chunk);
    } else if (state.name === "buffering") {
      if (state.buffered.length + chunk.length > state.bytesMax) this.#outgrown(state, chunk);
      else if (!state.buffered.add(chunk)) controller.pause();
    }
  }

  /** `chunk` is the first chunk of an answer whose type does not tell what it is. */
  #beginsStream({ status, headers, buffered }: BufferingState, chunk: Buffer): boolean {
    if (this.#plan.asksForStream !== true || status >= 300 || buffered.length > 0) return false;
    return mayBeEventStream(headers) && !beginsJson.test(chunk.toString("latin1", 0, 64));
  }

  onResponseEnd(): void {
    const state = this.#state;
    if (state.name === "buffering") {
      const { status, headers, buffered } = state;
      this.#settle({ kind: "buffered", status, headers, body: buffered.whole() });
    } else if (state.name === "streaming") {
      state.answer.ended(null);
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
      case "buffering":
        this.#settle({ kind: "failed", refusal });
        break;
      case "streaming":
        state.answer.ended(refusal);
        break;
      case "settled":
        break;
    }
    this.#release();
  }

  #clientGone(): void {
    const state = this.#state;
    if (state.name === "settled") return;
    if (this.#plan.drainWithoutClient && state.name !== "connecting") {
      this.#pressure.left("client");
      return;
    }
    // Before the connection exists there is no controller; `onRequestStart` checks the state.
    if (state.name === "connecting") return;
    if (state.name === "streaming") state.answer.abandon();
    else this.#settle({ kind: "abandoned" });
    this.#controller?.abort(clientLeft);
  }

  #reserve(buffered: BufferedBytes, bytes: number): boolean {
    return this.#exchange.reserve(bytes, (granted) => {
      if (this.#state.name === "settled") return;
      buffered.granted();
      if (granted) this.#controller?.resume();
      else this.#refuse(this.#controller, noRoom);
    });
  }

  /** The answer is longer than the buffer's limit; `chunk` is the chunk that exceeds it. */
  #outgrown({ status, headers, buffered }: BufferingState, chunk: Buffer | null = null): void {
    const { bufferedBytesMax: bufferedBytesMax } = this.#plan;
    if (status < 400 && bufferedBytesMax !== undefined) {
      const answer = this.#streamed(status, headers);
      for (const bytes of [buffered.whole(), chunk]) {
        if (bytes !== null && bytes.length > 0) answer.passOn(bytes);
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

/** In latin1. A byte order mark may come first. */
const beginsJson = /^(?:\u00ef\u00bb\u00bf)?\s*[[{]/;

const clientLeft = new Error("the client left");
const keptOpen = new Error("the provider kept its response open after its last event");
