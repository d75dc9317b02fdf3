import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A program of ./programs in a process of its own; killed with the test. */
export class ChildProgram {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  readonly #exited: Promise<unknown>;

  constructor(name: string, args: readonly string[]) {
    const program = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));
    this.#child = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
    this.#exited = once(this.#child, "exit");
    this.#child.stderr.resume();
    onTestFinished(() => this.kill());
  }

  /** The next line that it prints; undefined once it has ended. */
  async line(): Promise<string | undefined> {
    const next = await this.#lines.next();
    return next.done === true ? undefined : next.value;
  }

  /** Lets it end by itself; its exit code, or the signal that ended it. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    await this.#exited;
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** As kill -9 does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }
}
