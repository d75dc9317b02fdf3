import { existsSync, readFileSync, readdirSync, readlinkSync } from "node:fs";

/** What the operating system says of a process. Memory in bytes. */
export interface ProcessView {
  readonly residentBytes: number;
  /** Of its own; the rest is files, whose pages the kernel keeps and may let go of (the store's). */
  readonly anonymousBytes: number;
  readonly threads: number;
  /** Open file descriptors by what they are: `socket`, `pipe`, `anon_inode`, `file`. */
  readonly handles: Readonly<Record<string, number>>;
}

/** Linux tells of a process in `/proc`; elsewhere memory and handles are not looked at. */
export const canView = existsSync("/proc/self/fd");

export function viewProcess(pid: number): ProcessView {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const number = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return {
    residentBytes: number("VmRSS") * 1024,
    anonymousBytes: number("RssAnon") * 1024,
    threads: number("Threads"),
    handles: handlesOf(pid),
  };
}

function handlesOf(pid: number): Readonly<Record<string, number>> {
  const handles: Record<string, number> = {};
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    const kind = kindOf(pid, fd);
    if (kind !== null) handles[kind] = (handles[kind] ?? 0) + 1;
  }
  return handles;
}

/** null: it was closed meanwhile. */
function kindOf(pid: number, fd: string): string | null {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
    return /^(socket|pipe|anon_inode):/.exec(target)?.[1] ?? "file";
  } catch {
    return null;
  }
}

export function handleCount({ handles }: ProcessView): number {
  return Object.values(handles).reduce((sum, count) => sum + count, 0);
}
