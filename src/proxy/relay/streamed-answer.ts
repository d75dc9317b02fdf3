import type { Refusal } from "../../contract/errors.ts";
import { streamErrorEvent } from "../../contract/stream-error.ts";
import type { ProviderShape, Wire } from "../../contract/wire.ts";
import type { AnswerGate, FlatHeaders, GateSink } from "../../exchange/exchange.ts";
import { observeEvents, type EventObservation } from "./event-observation.ts";
import { SseTap } from "./sse.ts";
import type { StreamLink } from "./relay-state.ts";
import { streamCut } from "../upstream/upstream-failure.ts";

/** How the bytes of a streamed answer ended, and what the client is told if it is not whole. */
type StreamEnd =
  | { readonly end: "complete" | "provider_error" }
  | { readonly end: "cut"; readonly refusal: Refusal };

const noBytes = Buffer.alloc(0);

/** Why the bytes broke off, if the reason is not the provider's own message. */
function causeOf(failure: Refusal | null): Pick<Refusal, "upstreamError"> {
  const cause = failure?.upstreamError;
  return cause === undefined ? {} : { upstreamError: cause };
}

/**
 * An answer that goes to the client as it comes. A policy's rules may watch or delay it. All bytes of one
 * read of the provider's socket go on in one write, before the next read. An answer that came whole in one
 * read goes on whole.
 */
export class StreamedAnswer {
  readonly #status: number;
  readonly #headers: FlatHeaders;
  readonly #link: StreamLink;
  /** null if its events can't be told apart. */
  #tap: SseTap | null = null;
  #observation: EventObservation | null = null;
  /** The gate that applies a policy's rules; null if there are no rules. */
  #gate: AnswerGate | null = null;
  /** True if only the gate writes. */
  #isGated = false;
  /** Bytes from one read of the provider's socket that have not gone on yet. */
  readonly #pending: Buffer[] = [];
  /** How the provider's bytes ended; null if they have not. */
  #over: StreamEnd | null = null;
  #isCutEventKept = false;
  /** Set if a rule has stopped the answer. */
  #blocked: Refusal | null = null;

  /** An answer that is not watched. */
  constructor(status: number, headers: FlatHeaders, link: StreamLink) {
    this.#status = status;
    this.#headers = headers;
    this.#link = link;
  }

  /** Starts watching the events, as the plan says. Must be called before the first byte. */
  watch(wire: Wire): void {
    const { observer, streamRules } = this.#link.plan;
    this.#tap = new SseTap(wire);
    this.#observation = observer === null ? null : observeEvents(observer);
    this.#isGated = streamRules?.watches === false;
    if (streamRules) this.#gate = streamRules.open(wire, this.#sink());
  }

  /** Looks only for the end; every byte passes. Must be called before the first byte. */
  watchEnd(shape: ProviderShape): void {
    this.#tap = new SseTap(shape);
  }

  /** Takes bytes of the provider, which may send more after its last event. */
  push(chunk: Buffer): void {
    if (this.#over !== null) return;
    const bytes = this.#tap === null ? chunk : chunk.subarray(0, this.#tap.push(chunk));
    if (bytes.length === 0) return;
    const passed = this.#observation === null ? bytes : this.#observation.push(bytes);
    if (!this.#isGated) {
      this.passOn(passed);
      return;
    }
    this.#throughGate(passed);
    this.#lookForEnd();
  }

  /**
   * Takes bytes for the client. One read of the provider's socket may bring many chunks, each in its own
   * call, and each write would be a system call. The microtask runs after the whole read.
   */
  passOn(bytes: Buffer): void {
    if (bytes.length === 0) {
      // All bytes were kept back. But the answer has begun, and the provider charges for it.
      if (this.#pending.length === 0) this.#begin();
      return;
    }
    if (this.#pending.push(bytes) === 1) queueMicrotask(() => this.#flush());
  }

  /** The provider's bytes are over. `failure` is what broke them off; null if they came to their end. */
  ended(failure: Refusal | null): void {
    if (this.#over !== null || this.#link.isSettled()) return;
    const kept = this.#observation?.finish() ?? noBytes;
    const over = (this.#over = this.#endOf(failure));
    // A client would fail on the broken JSON before it reads why the stream ends.
    this.#isCutEventKept = over.end === "cut" && kept.length > 0;
    if (kept.length > 0 && !this.#isCutEventKept) {
      if (this.#isGated) this.#throughGate(kept);
      else this.#pending.push(kept);
    }
    // A gate that only watches sees the bytes before it is told of their end.
    if (this.#gate !== null) this.#flush();
    if (this.#blocked !== null) {
      this.#settleBlocked(this.#blocked);
      return;
    }
    // A gate that only watches keeps no client waiting.
    if (!this.#isGated) this.#tellEnd(over);
    if (this.#gate === null) this.#settleEnded(over);
    else this.#gate.finish();
  }

  /** The client has left, and nobody pays for the rest. An answer whose last event was sent was whole. */
  abandon(): void {
    const progress = this.#tap?.hasEnded === true ? this.#tap.progress : "running";
    this.#link.settle({
      kind: "relayed",
      status: this.#status,
      end: progress === "running" ? "abandoned" : progress,
      errorCode: null,
      clientGone: true,
    });
  }

  #begin(): void {
    const { exchange, plan } = this.#link;
    if (exchange.state === "open") exchange.begin(this.#status, plan.answerHeaders(this.#headers));
  }

  #flush(): void {
    const bytes = this.#takePending();
    if (bytes.length === 0 || this.#link.isSettled()) return;
    this.#begin();
    const roomLeft = this.#link.exchange.write(bytes);
    this.#gate?.push(bytes);
    if (!roomLeft) this.#link.pressure.full("client");
    this.#lookForEnd();
  }

  /** All waiting bytes in one buffer. */
  #takePending(): Buffer {
    const [only = noBytes] = this.#pending;
    const bytes = this.#pending.length > 1 ? Buffer.concat(this.#pending) : only;
    this.#pending.length = 0;
    return bytes;
  }

  /**
   * Checks whether the provider's terminal event has come while its response is still open. A whole stream is
   * over, and anything that the provider sends after its last event is dropped. After an error, more events
   * may come.
   */
  #lookForEnd(): void {
    if (this.#tap?.hasEnded !== true) return;
    this.#link.closeSoon();
    if (!this.#tap.isOver()) return;
    // A slow client may have stopped the reading. The response must end so that its connection becomes free.
    this.#link.pressure.left("client");
    this.#link.pressure.left("gate");
    this.ended(null);
  }

  #throughGate(bytes: Buffer): void {
    if (this.#blocked === null && this.#gate?.push(bytes) === false) {
      this.#link.pressure.full("gate");
    }
  }

  #sink(): GateSink {
    const { exchange, pressure } = this.#link;
    return {
      write: (bytes) => {
        this.#begin();
        if (!exchange.write(bytes)) pressure.full("client");
      },
      roomAgain: () => pressure.roomAgain("gate"),
      blocked: (refusal) => this.#block(refusal),
      finished: () => {
        if (this.#over === null) return;
        if (this.#isGated) this.#tellEnd(this.#over);
        this.#settleEnded(this.#over);
      },
    };
  }

  /**
   * A rule stops the answer. An answer that has not begun is refused and costs nothing. Otherwise the client
   * is told, and the rest is read to learn its cost if the service pays.
   */
  #block(refusal: Refusal): void {
    this.#blocked = refusal;
    const { plan, exchange, pressure, settle, abort } = this.#link;
    if (exchange.state === "open") {
      settle({ kind: "failed", refusal });
      abort(new Error(refusal.code));
      return;
    }
    if (plan.wire !== null) exchange.write(Buffer.from(streamErrorEvent(plan.wire, refusal)));
    exchange.end();
    if (this.#over !== null) this.#settleBlocked(refusal);
    else if (plan.drainWithoutClient) {
      pressure.left("gate");
      pressure.left("client");
    } else {
      this.#settleBlocked(refusal);
      abort(new Error(refusal.code));
    }
  }

  #settleBlocked({ code: errorCode }: Refusal): void {
    const clientGone = this.#link.exchange.state === "gone";
    const status = this.#status;
    this.#link.settle({ kind: "relayed", status, end: "blocked", errorCode, clientGone });
  }

  /** A plain body is whole if its framing says so, an SSE answer if its last event came. */
  #endOf(failure: Refusal | null): StreamEnd {
    const progress = this.#tap?.finish() ?? "running";
    if (progress !== "running") return { end: progress };
    if (this.#tap?.isKnown !== true)
      return failure === null ? { end: "complete" } : { end: "cut", refusal: failure };
    if (failure?.code === "upstream_timeout") return { end: "cut", refusal: failure };
    return { end: "cut", refusal: { ...streamCut, ...causeOf(failure) } };
  }

  #settleEnded(over: StreamEnd): void {
    const { exchange, settle } = this.#link;
    const status = this.#status;
    const clientGone = exchange.state === "gone";
    if (over.end !== "cut") {
      settle({ kind: "relayed", status, end: over.end, errorCode: null, clientGone });
    } else if (exchange.state === "open") {
      settle({ kind: "failed", refusal: { ...over.refusal, upstreamStatus: status } });
    } else {
      const { code: errorCode } = over.refusal;
      const cause = causeOf(over.refusal);
      settle({ kind: "relayed", status, end: "cut", errorCode, ...cause, clientGone });
    }
  }

  /** Everything that goes on has gone on. An answer that was cut before its first byte is refused. */
  #tellEnd(over: StreamEnd): void {
    if (over.end !== "cut") {
      this.#endWhole();
      return;
    }
    this.#flush();
    if (this.#link.exchange.state !== "open") this.#tellCut(over.refusal);
  }

  #tellCut(refusal: Refusal): void {
    const { exchange, plan } = this.#link;
    const shape = plan.wire ?? plan.passedShape ?? null;
    if (this.#tap?.isKnown !== true || shape === null) {
      // Only a broken connection tells a client that a plain body is incomplete.
      exchange.cut();
      return;
    }
    const separator = this.#tap.betweenEvents || this.#isCutEventKept ? "" : "\n\n";
    exchange.write(Buffer.from(separator + streamErrorEvent(shape, refusal)));
    exchange.end();
  }

  /** Sends the last bytes and the end in one write; an answer that has not begun, all in one. */
  #endWhole(): void {
    const { exchange, plan } = this.#link;
    const last = this.#takePending();
    if (exchange.state !== "open") {
      exchange.end(last);
      return;
    }
    if (last.length > 0) {
      const headers = plan.answerHeaders(this.#headers);
      exchange.respond({ status: this.#status, headers, body: last });
      return;
    }
    this.#begin();
    exchange.end();
  }
}
