import type { Refusal } from "../../contract/errors.ts";
import { isEncoded } from "../../exchange/answer-encoding.ts";
import {
  hasNoBody,
  header,
  type Attempt,
  type Exchange,
  type FlatHeaders,
  type GateSink,
  type RelayPlan,
  type UpstreamCall,
} from "../../exchange/exchange.ts";
import { isEventStream, mayBeEventStream } from "../upstream/content-type.ts";
import type { ResponseControl, ResponseReader } from "../upstream/provider-connection.ts";
import { answerTooLarge, noRoom, upstreamRefusal } from "../upstream/upstream-failure.ts";
import { AnswerWriter } from "./answer-writer.ts";
import { Backpressure, takers } from "./backpressure.ts";
import { BufferedBytes } from "./buffered-bytes.ts";
import {
  streaming,
  type BufferingState,
  type RelayState,
  type StreamingState,
} from "./relay-state.ts";
import { abandonedStream, cutNotice, endedAttempt, stopNotice, streamEnd } from "./stream-end.ts";
import { eventsOf, type StreamEnd } from "./stream-events.ts";

/**
 * Brings one answer of a provider to one exchange, and owns the answer's state (design: Relay). An answer that
 * must be seen whole is buffered; any other goes to the client as it comes. All bytes of one read of the
 * provider's socket go on in one write, before the next read. A policy's rules may watch a stream or delay it.
 *
 * Four parties call it: the provider's connection (`ResponseReader`), the client (it leaves, or it has room
 * again), the gate of a policy's rules (`GateSink`), and the byte budget. A call that its order forbids is a
 * bug, and throws.
 */
export class Relay implements ResponseReader {
  readonly #call: UpstreamCall;
  readonly #plan: RelayPlan;
  readonly #exchange: Exchange;
  readonly #settled: (attempt: Attempt) => void;
  readonly #pressure = new Backpressure();
  #response: ResponseControl | null = null;
  #state: RelayState = connecting;

  /** `settled` is called once, with the result of the call. */
  constructor(
    call: UpstreamCall,
    plan: RelayPlan,
    exchange: Exchange,
    settled: (attempt: Attempt) => void,
  ) {
    this.#call = call;
    this.#plan = plan;
    this.#exchange = exchange;
    this.#settled = settled;
    exchange.onGone(() => this.#clientGone());
    exchange.onDrained(() => this.#pressure.roomAgain(takers.client));
  }

  connected(response: ResponseControl): void {
    if (this.#state !== connecting) throw impossible("a connection", this.#state);
    this.#response = response;
    this.#pressure.attach(response);
    if (this.#exchange.state !== "gone") {
      this.#state = sent;
      return;
    }
    this.#settle({ kind: "abandoned", connectFailed: false });
    response.abort();
  }

  head(status: number, headers: FlatHeaders): void {
    if (this.#state !== sent) throw impossible("a head", this.#state);
    this.#plan.headCame?.();
    const eventStream = isEventStream(headers);
    const { bufferJson, bufferedBytesMax = Infinity } = this.#plan;
    if (status < 400 && (eventStream || !bufferJson)) {
      this.#stream(status, headers, eventStream);
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

  data(bytes: Buffer): void {
    const state = this.#state;
    switch (state.name) {
      case "streaming":
        this.#push(state, bytes);
        break;
      case "buffering":
        this.#buffer(state, bytes);
        break;
      case "over":
        break;
      default:
        throw impossible("a body", state);
    }
  }

  readOver(): void {
    const state = this.#state;
    if (state.name === "streaming") this.#flush(state);
    else if (state.name === "buffering") state.buffered.own();
  }

  end(): void {
    const state = this.#state;
    switch (state.name) {
      case "streaming":
        this.#streamEnded(state, null);
        break;
      case "buffering": {
        const { status, headers, buffered } = state;
        this.#settle({ kind: "buffered", status, headers, body: buffered.whole() });
        break;
      }
      case "over":
        break;
      default:
        throw impossible("an end", state);
    }
  }

  failed(error: Error): void {
    const state = this.#state;
    const refusal = upstreamRefusal(error);
    switch (state.name) {
      case "connecting":
        this.#settle(
          this.#exchange.state === "gone"
            ? { kind: "abandoned", connectFailed: true }
            : { kind: "unsent", refusal },
        );
        break;
      case "sent":
      case "buffering":
        this.#settle({ kind: "failed", refusal });
        break;
      case "streaming":
        this.#streamEnded(state, refusal);
        break;
      case "over":
        break;
    }
  }

  #clientGone(): void {
    const state = this.#state;
    // Before the connection exists, nothing can be aborted. `connected` checks the client.
    if (state.name === "over" || state.name === "connecting") return;
    if (this.#plan.drainWithoutClient) {
      this.#pressure.left(takers.client);
      return;
    }
    this.#settle(state.name === "streaming" ? abandonedStream(state) : { kind: "abandoned" });
    this.#response?.abort();
  }

  // A buffered answer.

  #buffer(state: BufferingState, bytes: Buffer): void {
    if (this.#beginsStream(state, bytes)) {
      this.#stream(state.status, state.headers, true);
      this.data(bytes);
    } else if (state.buffered.length + bytes.length > state.bytesMax) {
      this.#outgrown(state, bytes);
    } else if (!state.buffered.add(bytes)) {
      this.#response?.pause();
    }
  }

  /** Whether an answer is a stream, by its first bytes. Its type does not tell. */
  #beginsStream({ status, headers, buffered }: BufferingState, bytes: Buffer): boolean {
    if (this.#plan.asksForStream !== true || status >= 300 || buffered.length > 0) return false;
    return mayBeEventStream(headers) && !beginsJson.test(bytes.toString("latin1", 0, 64));
  }

  #reserve(buffered: BufferedBytes, bytes: number): boolean {
    return this.#exchange.reserve(bytes, (granted) => {
      if (this.#state.name === "over") return;
      buffered.granted();
      if (granted) this.#response?.resume();
      else this.#refuse(noRoom);
    });
  }

  /** The answer is longer than the buffer's limit; `bytes` are those that exceed it. */
  #outgrown({ status, headers, buffered }: BufferingState, bytes: Buffer = noBytes): void {
    if (status >= 400 || this.#plan.bufferedBytesMax === undefined) {
      this.#refuse({ ...answerTooLarge, upstreamStatus: status });
      return;
    }
    this.#stream(status, headers, false);
    for (const piece of [buffered.whole(), bytes]) if (piece.length > 0) this.data(piece);
  }

  /** Refuses the request. The client has got no part of the answer, and gets none. */
  #refuse(refusal: Refusal): void {
    this.#settle({ kind: "failed", refusal });
    this.#response?.abort();
  }

  // A streamed answer.

  /** `isSse`: the answer is a stream of events. Otherwise only its framing tells where it ends. */
  #stream(status: number, headers: FlatHeaders, isSse: boolean): void {
    const isReadable = isSse && !isEncoded(headers);
    const wire = isReadable ? this.#plan.wire : null;
    const { streamRules = null } = this.#plan;
    if (isSse && wire === null && streamRules?.unreadable) {
      this.#refuse(streamRules.unreadable);
      return;
    }
    const rules = wire === null ? null : streamRules;
    const events = isReadable ? eventsOf(this.#plan) : null;
    const writer = new AnswerWriter(this.#exchange, this.#plan, status, headers);
    const state = streaming(status, events, writer, rules?.watches === false);
    this.#state = state;
    if (wire !== null && rules !== null) state.gate = rules.open(wire, this.#sink(state));
  }

  #push(state: StreamingState, bytes: Buffer): void {
    // The provider may send more after its last event.
    if (state.end !== null) return;
    const passed = state.events === null ? bytes : state.events.push(bytes);
    if (state.isGated) {
      this.#throughGate(state, passed);
      this.#lookForEnd(state);
    } else if (passed.length > 0) {
      state.writer.add(passed);
    } else if (state.writer.isEmpty) {
      // All bytes were kept back. But the answer has begun, and the provider charges for it.
      state.writer.begin();
    }
  }

  #flush(state: StreamingState): void {
    const bytes = state.writer.take();
    if (bytes.length === 0) return;
    const roomLeft = state.writer.write(bytes);
    // The client may have left within the write.
    if (this.#state !== state) return;
    // The gate gets a copy, because it keeps bytes longer than the connection's buffer does.
    state.gate?.push(Buffer.from(bytes));
    if (!roomLeft) this.#pressure.full(takers.client);
    this.#lookForEnd(state);
  }

  #throughGate({ blocked, gate }: StreamingState, bytes: Buffer): void {
    if (bytes.length === 0 || blocked !== null) return;
    if (gate?.push(Buffer.from(bytes)) === false) this.#pressure.full(takers.gate);
  }

  /**
   * Checks whether the provider's terminal event has come while its response is still open. A whole stream is
   * over, and anything that the provider sends after its last event is dropped. After an error, more events
   * may come.
   */
  #lookForEnd(state: StreamingState): void {
    const { events } = state;
    if (state.end !== null || events?.hasEnded !== true) return;
    this.#response?.endSoon();
    if (!events.isOver) return;
    // A slow client may have stopped the reading. The response must end so that its connection becomes free.
    this.#pressure.left(takers.client);
    this.#pressure.left(takers.gate);
    this.#streamEnded(state, null);
  }

  /**
   * The provider's bytes have ended. `failure` is the reason if they were broken off; null if they are
   * complete.
   */
  #streamEnded(state: StreamingState, failure: Refusal | null): void {
    if (state.end !== null) return;
    const kept = state.events?.finish() ?? noBytes;
    const end = (state.end = streamEnd(state.events, failure));
    // A client would fail on the broken JSON before it reads why the stream ends.
    state.isCutEventKept = end.end === "cut" && kept.length > 0;
    if (kept.length > 0 && !state.isCutEventKept) {
      if (state.isGated) this.#throughGate(state, kept);
      else state.writer.add(kept);
    }
    // A gate that only watches gets the bytes before it gets their end.
    if (state.gate !== null) this.#flush(state);
    if (state.blocked !== null) {
      this.#settleBlocked(state, state.blocked);
      return;
    }
    // If the gate only watches, the client does not wait for it.
    if (!state.isGated) this.#tellEnd(state, end);
    if (this.#state !== state) return;
    if (state.gate === null) this.#settleEnded(state, end);
    else state.gate.finish();
  }

  /** All bytes for the client are sent. An answer that was cut before its first byte is refused. */
  #tellEnd(state: StreamingState, end: StreamEnd): void {
    if (end.end !== "cut") {
      state.writer.end();
      return;
    }
    this.#flush(state);
    if (this.#exchange.state !== "open") state.writer.endWith(cutNotice(state, end.refusal));
  }

  #settleEnded({ status }: StreamingState, end: StreamEnd): void {
    const { state } = this.#exchange;
    this.#settle(endedAttempt(end, status, state !== "open", state === "gone"));
  }

  // The gate of a policy's rules, which works in turns of its own.

  /** The gate may still call after the answer is over, because its searches can't be stopped. */
  #sink(state: StreamingState): GateSink {
    const isOver = (): boolean => this.#state !== state;
    return {
      write: (bytes) => {
        if (isOver()) return;
        if (!state.writer.write(bytes)) this.#pressure.full(takers.client);
      },
      roomAgain: () => {
        if (!isOver()) this.#pressure.roomAgain(takers.gate);
      },
      blocked: (refusal) => {
        if (!isOver()) this.#block(state, refusal);
      },
      finished: () => {
        if (isOver()) return;
        if (state.end === null) throw impossible("a gate's end before its stream's", state);
        if (state.isGated) this.#tellEnd(state, state.end);
        if (!isOver()) this.#settleEnded(state, state.end);
      },
    };
  }

  /**
   * A rule stops the answer. An answer that has not begun is refused and costs nothing. Otherwise the client
   * is told, and the rest is read to learn its cost if the service pays.
   */
  #block(state: StreamingState, refusal: Refusal): void {
    state.blocked = refusal;
    if (this.#exchange.state === "open") {
      this.#refuse(refusal);
      return;
    }
    state.writer.endWith(stopNotice(state, refusal));
    if (this.#state !== state) return;
    if (state.end !== null) this.#settleBlocked(state, refusal);
    else if (this.#plan.drainWithoutClient) {
      this.#pressure.left(takers.gate);
      this.#pressure.left(takers.client);
    } else {
      this.#settleBlocked(state, refusal);
      this.#response?.abort();
    }
  }

  #settleBlocked({ status }: StreamingState, { code: errorCode }: Refusal): void {
    const clientGone = this.#exchange.state === "gone";
    this.#settle({ kind: "relayed", status, end: "blocked", errorCode, clientGone });
  }

  #settle(attempt: Attempt): void {
    if (this.#state === over) throw impossible("a second result", over);
    this.#state = over;
    this.#settled(attempt);
  }
}

const connecting = { name: "connecting" } as const;
const sent = { name: "sent" } as const;
const over = { name: "over" } as const;
const noBytes = Buffer.alloc(0);

/** The beginning of JSON in latin1. A byte order mark may come first. */
const beginsJson = /^(?:\u00ef\u00bb\u00bf)?\s*[[{]/;

function impossible(what: string, { name }: RelayState): Error {
  return new Error(`the relay got ${what} in the state "${name}"`);
}
