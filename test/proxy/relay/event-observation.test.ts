import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { StreamObserver } from "../../../src/exchange/exchange.ts";
import { usageEventBytesMax } from "../../../src/contract/limits.ts";
import { JsonExcerpt } from "../../../src/json/excerpt.ts";
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

const observer: StreamObserver = {
  mayDrop: false,
  seesAll: false,
  beginLong: () =>
    new JsonExcerpt(
      { kept: new Set(["usage", "id", "output"]), whole: new Set(["usage"]) },
      usageEventBytesMax,
    ),
  event: () => true,
};

function run(text: string, cuts: readonly number[], mayDrop: boolean, seesAll = false) {
  const seen: string[] = [];
  const observation = observeEvents({
    ...observer,
    mayDrop,
    seesAll,
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

test.each([false, true])("one that sees all sees every payload (drops: %s)", (mayDrop) => {
  fc.assert(
    fc.property(streams, ({ events, lineEnd, tail, cuts }) => {
      const text = events.map((each) => textOf(each, lineEnd)).join("") + tail;
      const payloads = text
        .split(/\r\n|\n|\r/)
        .flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
      expect(run(text, cuts, mayDrop, true).seen).toEqual(payloads);
    }),
  );
});

test.each(lineEnds)("an event that is whole is never kept back (line end %j)", (end) => {
  const observation = observeEvents({ ...observer, mayDrop: true });
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
    const observation = observeEvents({ ...observer, mayDrop: true });
    const first = observation.push(Buffer.from(`data: 1${end.slice(0, cut)}`)).toString();
    const rest = observation.push(Buffer.from(end.slice(cut))).toString();
    expect(first + rest, JSON.stringify([end, cut])).toBe(`data: 1${end}`);
  }
});

test("an event goes on before one that is too long, in whatever chunk that begins", () => {
  const observation = observeEvents({ ...observer, mayDrop: true });
  const long = `data: ${"x".repeat(usageEventBytesMax)}`;
  const out = ["data: 1", `\n\n${long}`, "\n\n"].map((chunk) =>
    observation.push(Buffer.from(chunk)).toString(),
  );
  // Compared first: a difference would be printed whole.
  expect(out.join("") === `data: 1\n\n${long}\n\n`).toBe(true);
});

/** A response with the caller's instructions in it, and calls before and behind them. */
const long = `data: {"id":"r","output":[{"id":"a"}],"text":"${"x".repeat(2 * usageEventBytesMax)}","usage":{"dropped":[1]},"tier":1}\n\n`;
const cutsOfLong = Array.from({ length: 60 }, (_, i) => i * 50_000);

test.each([
  ["", 0],
  ["event: x\n", 0],
  [": comment\n", 7],
])("of an event that is too long, what its observer reads is seen (after %j)", (before, at) => {
  const text = `${before}${long}data: {"usage":{"kept":1}}\n\n`;
  const { seen, out } = run(text, [...cutsOfLong, at], false);
  // Compared first: a difference would be printed whole.
  expect(out === text).toBe(true);
  expect(seen).toEqual([
    '{"id":"r","output":[{"id":"a"}],"usage":{"dropped":[1]}}',
    '{"usage":{"kept":1}}',
  ]);
});

test("an event that is too long passes unseen where events may be dropped", () => {
  const text = `${long}data: {"usage":{"kept":1}}\n\n`;
  const { seen, out } = run(text, cutsOfLong, true);
  expect(out === text).toBe(true);
  expect(seen).toEqual(['{"usage":{"kept":1}}']);
});

test("a line that is too long and brings no payload is not read", () => {
  const text = long.replace("data: ", ": note ");
  const { seen, out } = run(text, cutsOfLong, false, true);
  expect(out === text).toBe(true);
  expect(seen).toEqual([]);
});

/** Of every buffer; the type of `Buffer.prototype` is any. */
const buffers = Object.getPrototypeOf(Buffer.alloc(0)) as Buffer;

/** Bytes that were searched or copied to pass on chunks that are all alike, for each byte of theirs. */
function touchesPerByte(chunk: string, count: number, mayDrop: boolean): number {
  const observation = observeEvents({ ...observer, mayDrop });
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
