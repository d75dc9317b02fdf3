import type { ServerResponse } from "node:http";
import type { Transform } from "node:stream";

/**
 * The output to one client. Every wait ends when the client leaves, so a loop that checks `gone`
 * after each wait ends too. Only one wait is allowed at a time.
 */
export class Outlet {
  readonly #response: ServerResponse;
  #encoder: Transform | null = null;
  #gone = false;
  #wake: () => void = nothing;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("close", () => {
      this.#gone = true;
      this.#encoder?.destroy();
      this.#wake();
    });
    // A write to a socket that has just closed. The `close` event reports the same.
    response.on("error", nothing);
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Writes the head. It is sent with the first bytes of the body. */
  begin(status: number, headers: readonly string[]): void {
    this.#response.writeHead(status, [...headers]);
  }

  /** Sends all later writes through `encoder`. */
  encode(encoder: Transform): void {
    this.#encoder = encoder;
    encoder.on("error", nothing);
    encoder.pipe(this.#response);
  }

  /** False: the client is slow, wait for `drained`. */
  write(chunk: string | Buffer): boolean {
    return this.#gone || (this.#encoder ?? this.#response).write(chunk);
  }

  end(chunk?: string): void {
    const sink = this.#encoder ?? this.#response;
    if (chunk === undefined) sink.end();
    else sink.end(chunk);
  }

  drained(): Promise<void> {
    return this.#wait((wake) => (this.#encoder ?? this.#response).once("drain", wake));
  }

  pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    return this.#wait((wake) => (timer = setTimeout(wake, ms))).finally(() => {
      clearTimeout(timer);
    });
  }

  /** Resolves when the kernel has all written bytes. */
  sent(): Promise<void> {
    return this.#wait((wake) => {
      this.#response.write("", () => setImmediate(wake));
    });
  }

  untilGone(): Promise<void> {
    return this.#wait(nothing);
  }

  /** Resets the connection (RST). */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }

  #wait(arm: (wake: () => void) => unknown): Promise<void> {
    return new Promise((resolve) => {
      if (this.#gone) {
        resolve();
        return;
      }
      this.#wake = resolve;
      arm(resolve);
    });
  }
}

function nothing(): void {
  // Nothing to do.
}
