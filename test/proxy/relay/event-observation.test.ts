import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { usageEventBytesMax } from "../../../src/contract/limits.ts";
import { observeEvents } from "../../../src/proxy/relay/event-observation.ts";

const lineEnds = ["\n", "\r\n", "\r"] as const;

/** An event, whether it holds usage, and whether the observer drops it. */
const event = fc.record({
  lines: fc.array(fc.constantFrom("event: x", ": ping", 'data: {"a":1}', "data:"), {
    maxLength: 2,
  }),
  usage: fc.constantFrom(null, '{"usage":{"kept":1}}', '{"usage":{"dropped":1}}'),
});

const streams = fc.record({
  events: fc.array(event, { maxLength: 6 }),
  lineEnd: fc.constantFrom(...lineEnds),
  tail: fc.constantFrom("", "data: unfinished", 'data: {"usage":{"kept":2}}'),
  cuts: fc.array(fc.nat(400)),
});

type Stream = typeof streams extends fc.Arbitrary<infer T> ? T : never;

function textOf({ lines, usage }: Stream["events"][number], lineEnd: string): string {
  const all = usage === null ? [...lines, ": empty"] : [...lines, `data: ${usage}`];
  return all.map((line) => line + lineEnd).join("") + lineEnd;
}

function chunksOf(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
}

function run(text: string, cuts: readonly number[], mayDrop: boolean) {
  const seen: string[] = [];
  const observation = observeEvents({
    mayDrop,
    event(payload) {
      seen.push(payload.toString());
      return !payload.includes("dropped");
    },
  });
  const out = chunksOf(text, cuts).map((chunk) => observation.push(chunk).toString());
  return { seen, out: out.join("") + observation.finish().toString() };
}

test.each([false, true])("however it is split, what is seen is the same (drops: %s)", (mayDrop) => {
  fc.assert(
    fc.property(streams, ({ events, lineEnd, tail, cuts }) => {
      const text = events.map((each) => textOf(each, lineEnd)).join("") + tail;
      const usages = events.flatMap(({ usage }) => usage ?? []);
      const last = tail.includes("usage") ? ['{"usage":{"kept":2}}'] : [];
      const { seen, out } = run(text, cuts, mayDrop);
      expect(seen).toEqual([...usages, ...last]);
      const left = events.filter(({ usage }) => !mayDrop || usage?.includes("dropped") !== true);
      expect(out).toBe(left.map((each) => textOf(each, lineEnd)).join("") + tail);
    }),
  );
});

test.each(lineEnds)("an event that is whole is never kept back (line end %j)", (end) => {
  const observation = observeEvents({ mayDrop: true, event: () => true });
  const push = (text: string): string => observation.push(Buffer.from(text)).toString();
  expect(push(`data: 1${end}${end}data: 2${end}`)).toBe(`data: 1${end}${end}`);
  expect(push(end)).toBe(`data: 2${end}${end}`);
  expect(push(`data: 3${end}${end}`)).toBe(`data: 3${end}${end}`);
});

test("an event is whole with the last byte of its empty line, wherever that was cut", () => {
  const ends = ["\n\n", "\r\n\r\n", "\r\r"].flatMap((end) =>
    Array.from({ length: end.length + 1 }, (_, cut) => ({ end, cut })),
  );
  for (const { end, cut } of ends) {
    const observation = observeEvents({ mayDrop: true, event: () => true });
    const first = observation.push(Buffer.from(`data: 1${end.slice(0, cut)}`)).toString();
    const rest = observation.push(Buffer.from(end.slice(cut))).toString();
    expect(first + rest, JSON.stringify([end, cut])).toBe(`data: 1${end}`);
  }
});

test("an event goes on before one that is too long, in whatever chunk that begins", () => {
  const observation = observeEvents({ mayDrop: true, event: () => true });
  const long = `data: ${"x".repeat(usageEventBytesMax)}`;
  const out = ["data: 1", `\n\n${long}`, "\n\n"].map((chunk) =>
    observation.push(Buffer.from(chunk)).toString(),
  );
  // Compared first: a difference would be printed whole.
  expect(out.join("") === `data: 1\n\n${long}\n\n`).toBe(true);
});

test.each([
  ["its usage is seen", false, [23, 20]],
  ["unseen, where events may be dropped", true, [20]],
])("an event that is too long passes: %s", (_, mayDrop, lengths) => {
  const long = `data: {"text":"${"x".repeat(2 * usageEventBytesMax)}","usage":{"dropped":1}}\n\n`;
  const text = `${long}data: {"usage":{"kept":1}}\n\n`;
  const cuts = Array.from({ length: 60 }, (_, i) => i * 50_000);
  const { seen, out } = run(text, cuts, mayDrop);
  // Compared by length first: a difference would be printed whole.
  expect(seen.map(({ length }) => length)).toEqual(lengths);
  expect(out === text).toBe(true);
});

/** Of every buffer; the type of `Buffer.prototype` is any. */
const buffers = Object.getPrototypeOf(Buffer.alloc(0)) as Buffer;

/** Bytes that were searched or copied to pass on chunks that are all alike, for each byte of theirs. */
function touchesPerByte(chunk: string, count: number, mayDrop: boolean): number {
  const observation = observeEvents({ mayDrop, event: () => true });
  const bytes = Buffer.from(chunk);
  const forth = vi.spyOn(buffers, "indexOf");
  const back = vi.spyOn(buffers, "lastIndexOf");
  const copied = vi.spyOn(buffers, "set");
  const joined = vi.spyOn(Buffer, "concat");
  for (let i = 0; i < count; i++) observation.push(bytes);
  vi.restoreAllMocks();
  const touches = [
    ...forth.mock.calls.map(([, from]: readonly unknown[], i) => {
      const end = placeFound(forth.mock.results[i]?.value);
      return (end ?? lengthOf(forth.mock.contexts[i])) - Number(from ?? 0);
    }),
    ...back.mock.contexts.map(
      (searched, i) => lengthOf(searched) - (placeFound(back.mock.results[i]?.value) ?? 0),
    ),
    ...copied.mock.calls.map(([from]) => from.length),
    ...joined.mock.results.map(({ value }) => lengthOf(value)),
  ];
  return touches.reduce((sum, one) => sum + one, 0) / (count * bytes.length);
}

/** undefined: what was searched for is nowhere. */
function placeFound(at: unknown): number | undefined {
  return typeof at === "number" && at >= 0 ? at : undefined;
}

function lengthOf(bytes: unknown): number {
  if (!Buffer.isBuffer(bytes)) throw new Error("no buffer");
  return bytes.length;
}

test.each([false, true])("an event in tiny chunks costs its length (drops: %s)", (mayDrop) => {
  expect(touchesPerByte("xy", 10_000, mayDrop)).toBeLessThan(10);
});

test.each(lineEnds)("many events with usage cost their length (line end %j)", (lineEnd) => {
  const events = `data: {"usage":1}${lineEnd}${lineEnd}`.repeat(2_000);
  expect(touchesPerByte(events, 4, true)).toBeLessThan(10);
  expect(touchesPerByte(events, 4, false)).toBeLessThan(10);
});
