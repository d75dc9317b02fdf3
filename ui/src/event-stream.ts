/** An event of a stream. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** The longest event that is waited for; a record has some kilobytes. */
const eventCharsMax = 1024 * 1024;

/**
 * The events of an answer, of each piece that arrives together. A comment is a piece without events. Throws if an
 * event is longer than a mebibyte, and what reading throws.
 */
export async function* streamEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<readonly StreamEvent[]> {
  let rest = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > eventCharsMax) throw new Error("an event without an end");
    yield blocks.map(eventOf).filter((event) => event !== null);
  }
}

/** null: a comment. Our own server writes one line of `data` an event, and ends lines with a line feed. */
function eventOf(block: string): StreamEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const [name, data] = [fields.get("event"), fields.get("data")];
  return name === undefined || data === undefined ? null : { name, data };
}
