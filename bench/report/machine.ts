import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";

/** The machine's properties on which the figures depend. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryMegabytes: number;
  readonly kernel: string;
  readonly node: string;
  /** The commit of the code, with `+` if files have changed since; null outside a checkout. */
  readonly commit: string | null;
  /** The load of the last minute before the run. It shows other work on the machine. */
  readonly loadAverage: number;
}

export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memoryMegabytes: Math.round(totalmem() / 2 ** 20),
    kernel: `${type()} ${release()}`,
    node: process.version,
    commit: commit(),
    loadAverage: loadavg()[0] ?? 0,
  };
}

function commit(): string | null {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    const hash = git("rev-parse", "--short=12", "HEAD");
    return git("status", "--porcelain", "--untracked-files=no") === "" ? hash : `${hash}+`;
  } catch {
    return null;
  }
}
