/** Far more than one event, far less than a stream. */
const tailCharsMax = 512;

/** Counts the provider's events in a stream's bytes, however these are cut. */
export class EventReader {
  readonly #onEvent: (sentUs: number) => void;
  #unread = "";
  #inRead = 0;
  events = 0;
  /** Events that came in a read with no other. */
  alone = 0;
  /** Whether the last event of either wire was seen. */
  sawEnd = false;

  /** `onEvent` gets the time that the event carries. */
  constructor(onEvent: (sentUs: number) => void) {
    this.#onEvent = onEvent;
  }

  /** To be called before the first piece of each read, and after the last one. */
  newRead(): void {
    if (this.#inRead === 1) this.alone += 1;
    this.#inRead = 0;
  }

  read(piece: Buffer): void {
    const text = this.#unread + piece.toString("latin1");
    let at = 0;
    // An event's time stands between angle brackets, which nothing else in a stream has.
    for (;;) {
      const open = text.indexOf("<", at);
      const close = open < 0 ? -1 : text.indexOf(">", open);
      if (close < 0) break;
      this.events += 1;
      this.#inRead += 1;
      this.#onEvent(Number(text.slice(open + 1, close)));
      at = close + 1;
    }
    this.#unread = text.slice(Math.max(at, text.length - tailCharsMax));
    this.sawEnd ||= this.#unread.includes("[DONE]") || this.#unread.includes("message_stop");
  }
}
