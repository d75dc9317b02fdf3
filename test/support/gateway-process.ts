import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchOf } from "../../bench/launch.ts";
import { probeFlags } from "../../bench/turns/turns.ts";
import { builtProgram } from "./built-program.ts";
import { environmentOf, type GatewayOptions } from "./gateway.ts";

export interface GatewayProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly keysUrl: string;
  readonly folder: string;
  /** Its output so far, standard output and error together. */
  readonly output: () => string;
  /** Resolves with the exit code; null after a signal. */
  readonly exit: Promise<number | null>;
}

/**
 * A gateway as its users run it: the built program in a process of its own. `folder` is the data of
 * another gateway, which this one continues to use.
 */
export async function startProcess(
  options: GatewayOptions = {},
  folder = mkdtempSync(join(tmpdir(), "weir-")),
): Promise<GatewayProcess> {
  const listening = join(folder, "data", "listening.json");
  rmSync(listening, { force: true });
  const { probed = false, program = builtProgram, startMsMax = 20_000 } = options;
  const { command, args, env } = launchOf(program, environmentOf(folder, options));
  const [first, ...rest] = [...(options.launcher ?? []), command];
  const child = spawn(first, [...rest, ...(probed ? probeFlags : []), ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe", probed ? "ipc" : "ignore"],
  });
  let output = "";
  child.stdout?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const state = { exited: false };
  const exit = new Promise<number | null>((resolve) => {
    child.on("exit", (code) => {
      state.exited = true;
      resolve(code);
    });
  });
  // The greeting is printed after the file is written, and contains the keys.
  const isReady = (): boolean => existsSync(listening) && output.includes("Weir listens:");
  for (let waitedMs = 0; !isReady(); waitedMs += 20) {
    if (state.exited || waitedMs > startMsMax) {
      child.kill("SIGKILL");
      throw new Error(`the gateway did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { gateway, keys, pid } = JSON.parse(readFileSync(listening, "utf8")) as {
    gateway: string;
    keys: string;
    pid: number;
  };
  return { child, pid, url: gateway, keysUrl: keys, folder, exit, output: () => output };
}

/** The key of the organization `demo`, as the first start printed it. */
export function printedKey(output: string): string {
  const key = /key of the org "demo" +(sk-gw-[0-9a-f]+)/.exec(output)?.[1];
  if (key === undefined) throw new Error(`no key was printed:\n${output}`);
  return key;
}
