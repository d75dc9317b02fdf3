import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventsIn, payloadOf } from "../../src/sse/event-fields.ts";
import { LineEnds } from "../../src/sse/line-ends.ts";

/** The lines of a stream that comes in these chunks, and what is left of the last one. */
function linesOf(chunks: readonly Buffer[]): string[] {
  const ends = new LineEnds();
  const lines: string[] = [];
  let line = "";
  for (const chunk of chunks) {
    ends.begin(chunk);
    while (ends.next()) {
      line += chunk.toString("latin1", ends.start, ends.end);
      expect(ends.isEmpty).toBe(line === "");
      lines.push(line);
      line = "";
    }
    line += chunk.toString("latin1", ends.start, ends.end);
    if (line !== "") expect(ends.isAtStart).toBe(false);
  }
  if (ends.finish()) {
    lines.push(line);
    line = "";
  }
  return [...lines, line];
}

function cutAt(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, "latin1");
  const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
}

const piece = fc.constantFrom("data: x", "y", ": z", "\n", "\r", "\r\n");
const stream = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

test("lines are those of the standard, whatever ends them and however the stream is cut", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(60)), (text, cuts) => {
      expect(linesOf(cutAt(text, cuts))).toEqual(text.split(/\r\n|\n|\r/));
    }),
    { numRuns: 5_000 },
  );
});

describe("an event ends as soon as its empty line can be known to have ended", () => {
  test.each(["\n", "\r\n", "\r"])("%j, byte by byte", (end) => {
    const event = `data: 1${end}${end}`;
    const ends = new LineEnds();
    const endings = [...event.repeat(3)].flatMap((byte, at) => {
      ends.begin(Buffer.from(byte));
      let isEnd = false;
      while (ends.next()) isEnd ||= ends.isEmpty;
      return isEnd ? [at + 1] : [];
    });
    expect(endings).toEqual([event.length, 2 * event.length, 3 * event.length]);
  });

  test("a CR behind a line that ended otherwise waits for its LF, or for the stream's end", () => {
    const ends = new LineEnds();
    ends.begin(Buffer.from("data: 1\n\r"));
    expect([ends.next(), ends.isEmpty, ends.next()]).toEqual([true, false, false]);
    expect([ends.isAtStart, ends.finish(), ends.isEmpty]).toEqual([false, true, true]);
    expect(ends.finish()).toBe(false);
  });
});

test("a chunk that ends with an event leaves the same behind, looked at or not", () => {
  fc.assert(
    fc.property(stream, stream, fc.constantFrom("\n", "\r\n", "\r"), (text, more, end) => {
      const chunk = Buffer.from(`${text}${end}${end}`);
      const quick = new LineEnds();
      const slow = new LineEnds();
      fc.pre(quick.endsEvent(chunk));
      slow.begin(chunk);
      while (slow.next());
      expect(slow.isEmpty).toBe(true);
      expect(slow.behind).toBe(chunk.length);
      for (const one of [quick, slow]) one.begin(Buffer.from(more));
      let isMore = true;
      while (isMore) {
        isMore = quick.next();
        expect(slow.next()).toBe(isMore);
        expect([slow.start, slow.end]).toEqual([quick.start, quick.end]);
      }
    }),
  );
});

test("events and their payloads", () => {
  const bom = Buffer.from([0xef, 0xbb, 0xbf]);
  const bytes = Buffer.concat([
    bom,
    Buffer.from("data: 1\r\rdata:2\ndata: 3\n\n: 4\r\n\r\ndata: 5"),
  ]);
  expect(eventsIn(bytes).map((event) => payloadOf(event)?.toString() ?? null)).toEqual([
    "1",
    "2\n3",
    null,
    "5",
  ]);
});
