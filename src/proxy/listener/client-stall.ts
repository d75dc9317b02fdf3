import { clientStallCheckMs, clientStallMsMax } from "../../contract/limits.ts";
import type { ResponseSocket } from "./last-response.ts";

/** A client that does not read what was written for it, from the first write that met backpressure. */
export class ClientStall {
  readonly #res: Pick<ResponseSocket, "pause" | "resume">;
  readonly #tooLong: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #sinceMs = performance.now();

  /** `tooLong` is called after `clientStallMsMax`. */
  constructor(res: Pick<ResponseSocket, "pause" | "resume">, tooLong: () => void) {
    this.#res = res;
    this.#tooLong = tooLong;
    this.#timer = setInterval(() => this.#check(), clientStallCheckMs);
  }

  /** The client has read everything, or the exchange is over. */
  end(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (performance.now() - this.#sinceMs > clientStallMsMax) {
      this.#tooLong();
      return;
    }
    // uWS 20.51.4 cuts a client 10 s after a write that met backpressure; a pause and resume of its
    // read side starts that clock again.
    this.#res.pause();
    this.#res.resume();
  }
}
