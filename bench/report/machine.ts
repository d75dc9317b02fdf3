import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";

/** What the figures depend on besides the code. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryMegabytes: number;
  readonly kernel: string;
  readonly node: string;
  /** Of the code, with `+` where files have changed since; null outside a checkout. */
  readonly commit: string | null;
  /** Of the last minute, when the run began: what else the machine did. */
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
