import type { Refusal } from "../../contract/errors.ts";
import type { Wire } from "../../contract/wire.ts";
import type { RelayPlan, StreamObserver } from "../../exchange/exchange.ts";
import { observeEvents, type EventObservation } from "./event-observation.ts";
import { SseTap } from "./sse.ts";

/**
 * How the bytes of a streamed answer ended, and the refusal for the client if the answer is
 * incomplete.
 */
export type StreamEnd =
  | { readonly end: "complete" | "provider_error" }
  | { readonly end: "cut"; readonly refusal: Refusal };

const noBytes = Buffer.alloc(0);

/**
 * The events of one SSE answer. It finds the last event, shows the observer those that report usage, and
 * decides which bytes the client gets. It depends only on the answer's bytes, and not on sockets.
 */
export class StreamEvents {
  readonly shape: Wire;
  readonly #tap: SseTap;
  readonly #observation: EventObservation | null;

  constructor(shape: Wire, observer: StreamObserver | null, isKnown = true) {
    this.shape = shape;
    this.#tap = new SseTap(shape, isKnown);
    this.#observation = observer === null ? null : observeEvents(observer);
  }

  /**
   * Takes bytes of the provider. Returns those that are sent now, as a view if possible; may be empty.
   */
  push(chunk: Buffer): Buffer {
    const bytes = chunk.subarray(0, this.#tap.push(chunk));
    return this.#observation === null || bytes.length === 0 ? bytes : this.#observation.push(bytes);
  }

  /** No more bytes come. Returns those that were kept until now. */
  finish(): Buffer {
    this.#tap.finish();
    return this.#observation?.finish() ?? noBytes;
  }

  /** The progress according to the events so far; "running" if no terminal event has come. */
  get progress(): SseTap["progress"] {
    return this.#tap.progress;
  }

  /** True if the terminal event is complete. After an error, more events may still come. */
  get hasEnded(): boolean {
    return this.#tap.hasEnded;
  }

  /** True if no more bytes matter. */
  get isOver(): boolean {
    return this.#tap.isOver();
  }

  /** True if no part of an unfinished event has passed. */
  get betweenEvents(): boolean {
    return this.#tap.betweenEvents;
  }

  /**
   * True if the events are those of the shape. Otherwise only the framing shows whether the answer is
   * complete.
   */
  get isKnown(): boolean {
    return this.#tap.isKnown;
  }
}

/** The events of an SSE answer that can be read; null if the plan does not say what they mean. */
export function eventsOf({ wire, passedShape, observer }: RelayPlan): StreamEvents | null {
  if (wire !== null) return new StreamEvents(wire, observer);
  return passedShape === undefined ? null : new StreamEvents(passedShape, null, false);
}
