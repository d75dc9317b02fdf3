import type { MessagePort } from "node:worker_threads";
import { ownsMemory } from "./own-memory.ts";
import type { ReportJob } from "../report/report-job.ts";
import type { ProviderRequestJob, TextJob, WorkerJob, WorkerResult } from "./scan-job.ts";

/** The range of a job's bytes in the bytes of its task. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A job without its bytes; they are a range of the task's bytes. */
export type Packed<Job> = Omit<Job, "bytes"> & Range;
/** A job for a verdict. */
export type PackedScan = Packed<ProviderRequestJob> | Packed<TextJob>;
export type PackedJob = PackedScan | Packed<ReportJob>;

/** The data that a worker gets when it starts. */
export interface ScanWorkerData {
  /** 32 random bytes of this process, the secret of `TextMemory`. */
  readonly cacheSecret: Uint8Array;
  /** The injection detector's model file, in memory that all threads share. */
  readonly injectionModel: Uint8Array;
}

/**
 * Scans that are sent to a worker as a message. The message is cloned, except for shared memory.
 */
export interface ScanTask {
  readonly bytes: Uint8Array;
  readonly jobs: readonly PackedJob[];
}

/** A scan that failed internally: the place in the code, and nothing of the scanned text. */
export interface ScanFailure {
  readonly failure: string;
}

/**
 * One answer for each scan of a batch, in order. null: the scan is allowed, and its score is in the batch's
 * memory. null instead of the list: this holds for all scans.
 */
export type BatchAnswer = readonly (WorkerResult | ScanFailure | null)[] | null;

/** The data that a worker gets to serve a lane. */
export interface LaneEnd {
  readonly memory: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** True: a worker reads the job's bytes in place. */
export function isShared(job: WorkerJob): boolean {
  return job.bytes.buffer instanceof SharedArrayBuffer;
}

/** A shared body must be alone in its task; others are copied into one buffer. */
export function packTask(jobs: readonly WorkerJob[]): ScanTask {
  const [only] = jobs;
  if (jobs.length === 1 && only !== undefined && ownsMemory(only.bytes)) {
    const { bytes, ...rest } = only;
    return { bytes, jobs: [{ ...rest, start: 0, end: bytes.length }] };
  }
  const copied = new Uint8Array(jobs.reduce((sum, job) => sum + job.bytes.length, 0));
  let at = 0;
  const packed = jobs.map((job): PackedJob => {
    const { bytes, ...rest } = job;
    const start = at;
    copied.set(bytes, start);
    at += bytes.length;
    return { ...rest, start, end: at };
  });
  return { bytes: copied, jobs: packed };
}
