import { join } from "node:path";

/** Starts the gateway's process in the same way as `npm start` and the Docker image. */

/**
 * Node's own options. Without the first one, a SIGUSR1 would open the debugger to everybody on the
 * machine.
 */
export const nodeFlags: readonly string[] = ["--disable-sigusr1", "--min-semi-space-size=16"];

/**
 * Settings for glibc's allocator. By default it raises its threshold to the largest block that was ever
 * freed. Buffers of bodies would then lie among small blocks and leave holes that it can't return to the
 * system. Also, each of many threads would have a heap of its own with its own holes.
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

/**
 * The arguments with which `spawn` starts the program with these variables and those of the
 * allocator.
 */
export function launchOf(program: string, env: NodeJS.ProcessEnv) {
  return {
    command: process.execPath,
    args: [...nodeFlags, program],
    env: { PATH: process.env["PATH"], ...allocatorEnv, ...env },
  };
}
