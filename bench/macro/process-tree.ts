import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** CPU time that the threads of some processes have used, by thread id, in milliseconds. */
export type ThreadTimes = ReadonlyMap<number, number>;

/**
 * A process and all its descendants. `/proc/PID/task/TID/schedstat` counts nanoseconds on a core,
 * whereas `/proc/PID/stat` counts ticks of 10 ms. Linux only.
 */
export class ProcessTree {
  readonly #pids: readonly number[];

  /** Covers the processes that live now. A process that starts later is not included. */
  constructor(root: number) {
    this.#pids = descendants(root, readParents());
  }

  threads(): ThreadTimes {
    const times = new Map<number, number>();
    for (const pid of this.#pids) {
      for (const tid of readdirSync(`/proc/${pid}/task`)) {
        const text = readIfThere(`/proc/${pid}/task/${tid}/schedstat`);
        if (text !== null) times.set(Number(tid), nanosecondsOf(text) / 1e6);
      }
    }
    return times;
  }

  /** Resident memory of all of them, in bytes. */
  residentBytes(): number {
    return this.#pids.reduce((sum, pid) => sum + statusBytes(readStatus(pid), "VmRSS"), 0);
  }

  /** Resets the peak that `peakBytes` returns. */
  forgetPeak(): void {
    for (const pid of this.#pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  }

  /** The most resident memory since `forgetPeak`, in bytes. */
  peakBytes(): number {
    return this.#pids.reduce((sum, pid) => sum + statusBytes(readStatus(pid), "VmHWM"), 0);
  }
}

/**
 * Milliseconds of CPU between two readings, of all threads or of those in `only`. A thread that was
 * gone by the second reading is not counted; none of the servers measured here ends one under load.
 */
export function cpuMs(before: ThreadTimes, after: ThreadTimes, only?: ReadonlySet<number>): number {
  let sum = 0;
  for (const [tid, time] of after) {
    if (only === undefined || only.has(tid)) sum += time - (before.get(tid) ?? 0);
  }
  return sum;
}

/** The process itself first. */
export function descendants(root: number, parents: ReadonlyMap<number, number>): number[] {
  const found = [root];
  // The list grows during the loop.
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found;
}

/** `schedstat` is: nanoseconds on a core, nanoseconds waited for one, time slices. */
export function nanosecondsOf(schedstat: string): number {
  return Number(schedstat.split(" ")[0]);
}

/** A line such as `VmRSS:   1234 kB` of `/proc/PID/status`. */
export function statusBytes(status: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/PID/status has no ${name}`);
  return Number(kilobytes) * 1024;
}

/**
 * CPU time of the children that this process has waited for, in milliseconds, from `/proc/self/stat`.
 */
export function reapedCpuMs(stat: string): number {
  // The second field is the name in brackets, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * millisecondsPerTick;
}

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const millisecondsPerTick = 10;

function readStatus(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, "utf8");
}

/** Process → its parent. */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = readIfThere(`/proc/${pid}/stat`);
    if (stat === null) continue;
    const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
    parents.set(Number(pid), Number(parent));
  }
  return parents;
}

/** Null if the file is gone, because its process has ended meanwhile. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
