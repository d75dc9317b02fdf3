import {
  fork,
  spawn,
  type ChildProcess,
  type ForkOptions,
  type SpawnOptions,
} from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A signal then reaches the process together with its children, and Ctrl-C reaches it only through
 * this process.
 */
const inItsOwnGroup = { detached: true };

/** How long a process has to end by itself before it is killed. */
const stopMsMax = 5_000;

/**
 * The processes and the folder of one run. All of them are gone after the run, whether it ends by
 * `close`, by a signal, or by an exit in the middle.
 */
export class Children {
  readonly folder = mkdtempSync(join(tmpdir(), `weir-macro-${process.pid}-`));
  readonly #living = new Set<ChildProcess>();
  readonly #onExit = (): void => this.#killAll();
  readonly #onSignal = (): void => process.exit(130);

  constructor() {
    process.on("exit", this.#onExit);
    process.on("SIGINT", this.#onSignal);
    process.on("SIGTERM", this.#onSignal);
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const stdio = ["ignore", "ignore", "inherit"] as const;
    return this.#kept(
      spawn(command, [...args], { ...inItsOwnGroup, stdio: [...stdio], ...options }),
    );
  }

  /** A program of this bench, with a channel for messages. */
  fork(file: string, args: readonly string[] = []): ChildProcess {
    // ForkOptions does not know of `detached`, which fork passes on to spawn.
    const options: SpawnOptions & ForkOptions = { ...inItsOwnGroup, execArgv: [] };
    return this.#kept(fork(file, [...args], { ...options, serialization: "advanced" }));
  }

  async stop(child: ChildProcess): Promise<void> {
    if (!this.#living.has(child)) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    signalGroup(child, "SIGTERM");
    const killer = setTimeout(() => signalGroup(child, "SIGKILL"), stopMsMax);
    await ended;
    clearTimeout(killer);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#living].map((child) => this.stop(child)));
    process.off("exit", this.#onExit);
    process.off("SIGINT", this.#onSignal);
    process.off("SIGTERM", this.#onSignal);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #kept(child: ChildProcess): ChildProcess {
    this.#living.add(child);
    // Emitted instead of "exit" if the program can't be started.
    child.once("error", () => this.#living.delete(child));
    child.once("exit", () => this.#living.delete(child));
    return child;
  }

  #killAll(): void {
    for (const child of this.#living) signalGroup(child, "SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Signals the process and its children, because the workers of a killed nginx would live on. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pidOf(child), signal);
  } catch {
    // The process has already ended.
  }
}

/** The child's process id; throws if it could not be started. */
export function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} could not be started`);
  return child.pid;
}

/** A port of the loopback address that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Asks every 20 ms; throws if the process has ended or the time is up. */
export async function until(
  child: ChildProcess,
  what: string,
  isSo: () => boolean | Promise<boolean>,
  msMax = 20_000,
): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await isSo())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${what} ended`);
    if (performance.now() > deadline) throw new Error(`${what} did not come up`);
    await sleep(20);
  }
}
