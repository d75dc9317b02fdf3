/** Far more than one event, far less than a stream. */
const tailCharsMax = 512;

/** Counts the provider's events in a stream's bytes, independent of how these are cut. */
export class EventReader {
  readonly #onEvent: (sentUs: number) => void;
  #unread = "";
  #inRead = 0;
  events = 0;
  /** Events that came alone in a read. */
  alone = 0;
  /** Whether the last event of a stream was seen, on either wire. */
  sawEnd = false;

  /** `onEvent` gets the time inside the event. */
  constructor(onEvent: (sentUs: number) => void) {
    this.#onEvent = onEvent;
  }

  /** Call it before the first piece of each read, and after the last read. */
  newRead(): void {
    if (this.#inRead === 1) this.alone += 1;
    this.#inRead = 0;
  }

  read(piece: Buffer): void {
    const text = this.#unread + piece.toString("latin1");
    let at = 0;
    // An event's time is between angle brackets, which occur nowhere else in a stream.
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
