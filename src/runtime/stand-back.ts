import { existsSync, readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const threads = "/proc/self/task";

/**
 * Gives the whole process this nice value, from 0 to 19, unless it has a higher one. On Linux each thread has a value
 * of its own, and a new thread has that of the one that starts it. Node starts its pool before a program's first line,
 * and a library's work in the background runs there, so every thread that there is gets the value.
 */
export function standBack(niceness: number): void {
  const ids = existsSync(threads) ? readdirSync(threads).map(Number) : [process.pid];
  for (const id of ids) setPriority(id, Math.max(niceness, getPriority(id)));
}
