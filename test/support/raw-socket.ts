import { connect, type Socket } from "node:net";

/** The answer over a raw socket. */
export interface RawAnswer {
  /** Everything received, latin1. */
  readonly text: string;
  /** The peer closed the connection. */
  readonly closed: boolean;
}

/** A TCP connection that sends exactly the bytes of a test. */
export class RawSocket {
  readonly socket: Socket;
  #text = "";
  #closed = false;
  #changed: (() => void) | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.#text += bytes.toString("latin1");
      this.#changed?.();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#closed = true;
      this.#changed?.();
    });
  }

  static open(url: string): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      socket.once("error", reject);
      socket.once("connect", () => resolve(new RawSocket(socket)));
    });
  }

  get text(): string {
    return this.#text;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Resolves with the answer so far when `done` returns true for it, or after `waitMsMax`. */
  async until(done: (answer: RawAnswer) => boolean, waitMsMax = 5_000): Promise<RawAnswer> {
    const answer = (): RawAnswer => ({ text: this.#text, closed: this.#closed });
    const deadline = performance.now() + waitMsMax;
    while (!done(answer()) && performance.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return answer();
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Sends `request`, waits for the answer's end or the close, and returns the answer. */
export async function exchangeRaw(
  url: string,
  request: string | Uint8Array,
  done: (answer: RawAnswer) => boolean = ({ closed }) => closed,
  waitMsMax?: number,
): Promise<RawAnswer> {
  const raw = await RawSocket.open(url);
  raw.send(request);
  const answer = await raw.until(done, waitMsMax);
  raw.destroy();
  return answer;
}

/** The statuses of all answers in a raw text, in order. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
