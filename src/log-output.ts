import { destination, type DestinationStream } from "pino";
import { logHeldCharactersMax, logHeldMsMax } from "./contract/limits.ts";

/** The process's own output, as `pino.destination` opens it. */
export type Output = Pick<ReturnType<typeof destination>, "write" | "flushSync">;

/**
 * Gathers lines and writes them together. pino's own destination can do that too, but measures all that
 * it holds again with every line (`Buffer.byteLength` in sonic-boom's `write`), which costs 6 µs a line.
 */
export class LogOutput implements DestinationStream {
  readonly #output: Output;
  #held = "";
  #timer: NodeJS.Timeout | null = null;

  constructor(output: Output = destination({ dest: 1, sync: false, minLength: 0 })) {
    this.#output = output;
  }

  write(line: string): void {
    this.#held += line;
    if (this.#held.length >= logHeldCharactersMax) this.#writeHeld();
    else this.#timer ??= setTimeout(() => this.#writeHeld(), logHeldMsMax).unref();
  }

  /** To be called before the process ends. pino calls it with every fatal line. */
  flushSync(): void {
    this.#writeHeld();
    this.#output.flushSync();
  }

  #writeHeld(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const held = this.#held;
    this.#held = "";
    if (held !== "") this.#output.write(held);
  }
}
