import { cacheAnswerBytesMax } from "../../contract/limits.ts";
import type { AnswerObserver, FlatHeaders } from "../../exchange/exchange.ts";
import { ownCopy, type SentAnswer } from "./cached-answer.ts";

/** Provides memory for streams that may go into the cache. */
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
  /** True if the stream is too long, got no memory, or is over. */
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
    // A copy, because a chunk may be a small view of a large buffer and would keep it alive.
    this.#pieces.push(Buffer.from(chunk));
  }

  /** Everything that was sent, or null; gives the memory back. Must be the last call. */
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
