import { scanBatchBytesMax, scanBatchMax } from "../../contract/limits.ts";
import type { Sensitivity } from "../../contract/scan.ts";
import { isShared, type PackedScan } from "./scan-task.ts";
import type { BodyFormat, ScanJob, WorkerJob } from "./scan-job.ts";

/*
 * The scans of one batch on their way to a worker, in memory that both threads share.
 *
 *   words | scores | leaves | scan, scan, …        a scan: its header, its organization, its body
 *
 * The pool's thread writes a batch and then increases `sent`. The worker waits for that, and writes the
 * scores instead of sending an answer. The memory holds one batch at a time, so no side writes while the
 * other side reads. The pool writes only after the last batch was answered, and never again after its worker
 * has failed.
 */

const words = { sent: 0, scans: 1 } as const;
const scoresAt = 64;
const leavesAt = scoresAt + 8 * scanBatchMax;
const scansAt = leavesAt + 4 * scanBatchMax;
/**
 * Format, sensitivity and flags, one byte each, and an unused byte; then the lengths of the organization and
 * of the body.
 */
const headerBytes = 12;

/** This value in place of the number of scans means that the batch is a message on the port. */
const inMessage = -1;

const formatCodes: Readonly<Record<BodyFormat | "text", number>> = {
  text: 0,
  openai: 1,
  anthropic: 2,
  responses: 3,
  json: 4,
  embeddings: 5,
};
const sensitivityCodes: Readonly<Record<Sensitivity, number>> = {
  strict: 0,
  balanced: 1,
  permissive: 2,
};
const formats = namesOf(formatCodes);
const sensitivities = namesOf(sensitivityCodes);
const flags = { hasOrg: 1, replaces: 2 } as const;

/** Also has room for the ids and headers of a full batch, because our ids are short. */
const memoryBytes = scansAt + scanBatchBytesMax + scanBatchMax * 256;

export function newBatchMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(memoryBytes);
}

abstract class BatchMemory {
  protected readonly words: Int32Array;
  protected readonly scores: Float64Array;
  protected readonly leaves: Uint32Array;
  protected readonly bytes: Buffer;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory, 0, scoresAt / 4);
    this.scores = new Float64Array(memory, scoresAt, scanBatchMax);
    this.leaves = new Uint32Array(memory, leavesAt, scanBatchMax);
    this.bytes = Buffer.from(memory);
  }
}

/** The side of the pool. */
export class ScanBatchWriter extends BatchMemory {
  /**
   * Writes a batch, without sending it. False: it has to be sent as a message, because it does not fit, holds a
   * report, or holds a body that is read in place.
   */
  write(jobs: readonly { readonly job: WorkerJob }[]): boolean {
    if (jobs.length > scanBatchMax) return false;
    let at = scansAt;
    for (const { job } of jobs) {
      if (job.kind === "report" || isShared(job)) return false;
      const { orgId = "" } = job;
      // UTF-8 takes at most three bytes for a unit.
      if (at + headerBytes + 3 * orgId.length + job.bytes.length > this.bytes.length) return false;
      at = this.#put(job, orgId, at);
    }
    this.words[words.scans] = jobs.length;
    return true;
  }

  /** Wakes the worker for the batch that was written. */
  send(): void {
    Atomics.add(this.words, words.sent, 1);
    Atomics.notify(this.words, words.sent);
  }

  /** Wakes the worker for a batch that is a message on its port. */
  sendMessage(): void {
    this.words[words.scans] = inMessage;
    this.send();
  }

  /** The score of an allowed scan, once the batch has been answered. */
  scoreOf(index: number): number {
    return this.scores[index] ?? Number.NaN;
  }

  /** The number of a scan's texts that a model would read. */
  leavesOf(index: number): number {
    return this.leaves[index] ?? 0;
  }

  #put(job: ScanJob, orgId: string, at: number): number {
    const { bytes } = this;
    const isBody = job.kind === "provider_request";
    bytes[at] = formatCodes[isBody ? job.format : "text"];
    bytes[at + 1] = sensitivityCodes[job.sensitivity];
    bytes[at + 2] =
      (job.orgId === undefined ? 0 : flags.hasOrg) |
      (isBody && job.replaces === true ? flags.replaces : 0);
    const bodyAt = at + headerBytes + bytes.write(orgId, at + headerBytes);
    bytes.writeUInt32LE(bodyAt - at - headerBytes, at + 4);
    bytes.writeUInt32LE(job.bytes.length, at + 8);
    bytes.set(job.bytes, bodyAt);
    return bodyAt + job.bytes.length;
  }
}

/** The side of a worker. */
export class ScanBatchReader extends BatchMemory {
  #seen = 0;

  /** Blocks this thread until a batch has come, at most `msMax`; false if none has come. */
  wait(msMax: number): boolean {
    Atomics.wait(this.words, words.sent, this.#seen, msMax);
    const sent = Atomics.load(this.words, words.sent);
    if (sent === this.#seen) return false;
    this.#seen = sent;
    return true;
  }

  /** The batch that has come is a message on the port. */
  get isMessage(): boolean {
    return this.words[words.scans] === inMessage;
  }

  /** Calls `scan` for each scan of the batch. Its bytes are a range of the memory. */
  visit(scan: (job: PackedScan, bytes: Buffer, index: number) => void): void {
    const count = this.words[words.scans] ?? 0;
    let at = scansAt;
    for (let index = 0; index < count; index++) {
      const job = this.#jobAt(at);
      at = job.end;
      scan(job, this.bytes, index);
    }
  }

  /** Writes the answer to a scan that is allowed and has no other result. */
  allow(index: number, score: number, leaves: number): void {
    this.scores[index] = score;
    this.leaves[index] = leaves;
  }

  #jobAt(at: number): PackedScan {
    const { bytes } = this;
    const orgAt = at + headerBytes;
    const start = orgAt + bytes.readUInt32LE(at + 4);
    const end = start + bytes.readUInt32LE(at + 8);
    const format = oneOf(formats, bytes[at]);
    const sensitivity = oneOf(sensitivities, bytes[at + 1]);
    const flag = bytes[at + 2] ?? 0;
    const owner =
      (flag & flags.hasOrg) === 0 ? {} : { orgId: bytes.toString("utf8", orgAt, start) };
    if (format === "text") return { kind: "text", sensitivity, ...owner, start, end };
    const replaces = (flag & flags.replaces) !== 0;
    return { kind: "provider_request", format, sensitivity, replaces, ...owner, start, end };
  }
}

/** The names in the order of their codes, which begin at 0. */
function namesOf<Name extends string>(codes: Readonly<Record<Name, number>>): readonly Name[] {
  return Object.keys(codes) as Name[];
}

function oneOf<Name>(names: readonly Name[], code: number | undefined): Name {
  const name = names[code ?? names.length];
  if (name === undefined) throw new Error("a batch was not written as it is read");
  return name;
}
