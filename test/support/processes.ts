import { readdirSync, readFileSync } from "node:fs";

/** Processes that are of this one. PostgreSQL gives each of them a process group of its own. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statusOf(pid)?.parent === parent);
}

/** A process that has ended and waits for nobody but its parent is not alive. */
export function isAlive(pid: number): boolean {
  const status = statusOf(pid);
  return status !== null && status.state !== "Z";
}

/** null: there is no such process. */
function statusOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it may have spaces and brackets.
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
