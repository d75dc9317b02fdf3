import { cacheAnswerBytesMax } from "../../contract/limits.ts";
import type { AnswerObserver, FlatHeaders } from "../../exchange/exchange.ts";
import { ownCopy, type SentAnswer } from "./cached-answer.ts";

/** Where streams on their way into the cache get their memory. */
export interface WatchRoom {
  takeWatchRoom(bytes: number): boolean;
  giveWatchRoom(bytes: number): void;
}

/** Keeps what a client is sent of a stream, as long as it is short enough to be cached. */
export class WatchedAnswer implements AnswerObserver {
  readonly #room: WatchRoom;
  #status = 0;
  #headers: FlatHeaders = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Too long, without room, or over. */
  #isOver = false;

  constructor(room: WatchRoom) {
    this.#room = room;
  }

  begun(status: number, headers: FlatHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status !== 200) this.#stop();
  }

  sent(chunk: Uint8Array): void {
    if (this.#isOver) return;
    const { length } = chunk;
    if (this.#bytes + length > cacheAnswerBytesMax || !this.#room.takeWatchRoom(length)) {
      this.#stop();
      return;
    }
    this.#bytes += length;
    // A copy: a chunk may be a small view of a large buffer, which it would keep alive.
    this.#pieces.push(Buffer.from(chunk));
  }

  /** What was sent, all of it, or null; gives the memory back. The last call. */
  end(): SentAnswer | null {
    const body = this.#isOver || this.#bytes === 0 ? null : ownCopy(this.#pieces, this.#bytes);
    this.#stop();
    return body === null ? null : { status: this.#status, headers: this.#headers, body };
  }

  #stop(): void {
    this.#isOver = true;
    this.#room.giveWatchRoom(this.#bytes);
    this.#bytes = 0;
    this.#pieces = [];
  }
}
