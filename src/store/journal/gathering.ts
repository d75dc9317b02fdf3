import type { RequestEvent } from "../../contract/request-event.ts";
import type { JournalOperation } from "./batch.ts";
import { EventPacker } from "./event-packer.ts";
import type { JournalMark } from "./flush-waiters.ts";
import type { PackedEvents } from "./packed-events.ts";

/** What one flush writes: all that was appended up to a mark, from that of the flush before on. */
export interface GatheredBatch {
  readonly mark: JournalMark;
  readonly events: readonly PackedEvents[];
  readonly operations: readonly JournalOperation[];
  readonly size: GatheredSize;
  /** To be called when it is durable. */
  readonly durable: () => void;
}

/** About so many bytes of memory. */
export interface GatheredSize {
  /** Events and operations, without payloads. */
  readonly bytes: number;
  /** Of batch jobs' payloads. */
  readonly payloadBytes: number;
}

/** Gathers in order what the next flush writes. */
export class Gathering {
  readonly #packer = new EventPacker();
  /** Packed events that come before those in the packer. */
  #packed: PackedEvents[] = [];
  #operations: JournalOperation[] = [];
  #size = { bytes: 0, payloadBytes: 0 };

  /** Of now. */
  get size(): GatheredSize {
    return this.#size;
  }

  /** Canonical JSON, no line breaks. */
  event(line: string): void {
    this.#packer.line(line);
    this.#size.bytes += line.length;
  }

  request(event: RequestEvent, createdAtMs: number): void {
    this.#packer.request(event, createdAtMs);
    this.#size.bytes += requestBytes;
  }

  packed(events: PackedEvents): void {
    this.#takePacked();
    this.#packed.push(events);
    this.#size.bytes += events.count * requestBytes;
  }

  operation(operation: JournalOperation): void {
    this.#operations.push(operation);
    this.#size.bytes += operationBytes + resultBytes(operation);
    this.#size.payloadBytes += payloadBytes(operation);
  }

  /** Everything that has gathered. `mark`: of the last of it. `durable`: as of `GatheredBatch`. */
  take(mark: JournalMark, durable: () => void): GatheredBatch {
    this.#takePacked();
    const [events, operations, size] = [this.#packed, this.#operations, this.#size];
    [this.#packed, this.#operations] = [[], []];
    this.#size = { bytes: 0, payloadBytes: 0 };
    return { mark, events, operations, size, durable };
  }

  #takePacked(): void {
    if (this.#packer.count > 0) this.#packed.push(this.#packer.take());
  }
}

/** About the memory of a request's packed event, in bytes. */
const requestBytes = 512;
/** About the memory of an operation, in bytes. */
const operationBytes = 256;

function resultBytes(operation: JournalOperation): number {
  if (operation.kind === "jobItemEnd") return operation.result.length;
  if (operation.kind === "usage") return operation.line.length;
  if (operation.kind !== "windows") return 0;
  return operation.change.rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/**
 * The whole body stays in memory. It no longer counts as a request body after the request has
 * ended.
 */
function payloadBytes(operation: JournalOperation): number {
  return "body" in operation ? operation.body.length : 0;
}
