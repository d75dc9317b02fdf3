import { join } from "node:path";

/** How the gateway's process is started, as `npm start` and the Docker image start it. */

/** Node's own options. On SIGUSR1 it would open its debugger to everybody on the machine. */
export const nodeFlags: readonly string[] = ["--disable-sigusr1", "--min-semi-space-size=16"];

/**
 * For glibc's allocator, which moves its threshold up to the largest block that was ever freed: buffers of
 * bodies would then lie among small blocks, and leave holes that it can't give back. Each of many threads
 * would have a heap of its own with holes of its own.
 */
export const allocatorEnv: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "1048576",
};

/** Variables for a gateway on free ports, with its data and its `weir.config.json` in the folder. */
export function settingsIn(folder: string): NodeJS.ProcessEnv {
  return {
    GATEWAY_PORT: "0",
    GATEWAY_KEYS_PORT: "0",
    GATEWAY_DATA_DIR: join(folder, "data"),
    GATEWAY_CONFIG: join(folder, "weir.config.json"),
  };
}

/** What `spawn` takes to start the program with these variables, and the allocator's. */
export function launchOf(program: string, env: NodeJS.ProcessEnv) {
  return {
    command: process.execPath,
    args: [...nodeFlags, program],
    env: { PATH: process.env["PATH"], ...allocatorEnv, ...env },
  };
}
