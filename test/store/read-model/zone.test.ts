import { describe, expect, test } from "vitest";
import { usageQuarterMs } from "../../../src/contract/limits.ts";
import { stepQuarters, type SeriesStep } from "../../../src/store/read-model/question.ts";
import { isZone, offsetsOf, startOf } from "../../../src/store/read-model/zone.ts";

const quarter = (iso: string): number => Date.parse(iso) / usageQuarterMs;

/** As the statement computes it. */
function bucketOf(at: number, step: SeriesStep, offsets: ReturnType<typeof offsetsOf>): number {
  const ahead = offsets.findLast(({ from }) => from <= at)?.ahead ?? offsets[0]?.ahead ?? 0;
  const steps = Math.floor((at + ahead) / stepQuarters[step]);
  return step === "1d" ? steps : steps * stepQuarters[step] - ahead;
}

/** The starts of all steps between two moments, with the quarters of each. */
function steps(zone: string, step: SeriesStep, since: string, until: string): [string, number][] {
  const [first, last] = [quarter(since), quarter(until)];
  const offsets = offsetsOf(zone, first, last);
  const counts = new Map<string, number>();
  for (let at = first; at < last; at += 1) {
    const start = startOf(bucketOf(at, step, offsets), step, offsets) * usageQuarterMs;
    const iso = new Date(start).toISOString();
    counts.set(iso, (counts.get(iso) ?? 0) + 1);
  }
  return [...counts];
}

describe("a local day", () => {
  test.each<[zone: string, since: string, until: string, days: [string, number][]]>([
    [
      "Asia/Kathmandu",
      "2026-01-09T18:15:00Z",
      "2026-01-11T18:15:00Z",
      [
        ["2026-01-09T18:15:00.000Z", 96],
        ["2026-01-10T18:15:00.000Z", 96],
      ],
    ],
    [
      "Asia/Kolkata",
      "2026-01-09T18:30:00Z",
      "2026-01-10T18:30:00Z",
      [["2026-01-09T18:30:00.000Z", 96]],
    ],
    // 23 hours, then 25.
    [
      "Europe/Berlin",
      "2026-03-27T23:00:00Z",
      "2026-03-30T22:00:00Z",
      [
        ["2026-03-27T23:00:00.000Z", 96],
        ["2026-03-28T23:00:00.000Z", 92],
        ["2026-03-29T22:00:00.000Z", 96],
      ],
    ],
    [
      "Europe/Berlin",
      "2026-10-24T22:00:00Z",
      "2026-10-26T23:00:00Z",
      [
        ["2026-10-24T22:00:00.000Z", 100],
        ["2026-10-25T23:00:00.000Z", 96],
      ],
    ],
    // Half an hour of summer time.
    [
      "Australia/Lord_Howe",
      "2026-04-03T13:00:00Z",
      "2026-04-05T13:30:00Z",
      [
        ["2026-04-03T13:00:00.000Z", 96],
        ["2026-04-04T13:00:00.000Z", 98],
      ],
    ],
    // The clocks go forward at midnight: the day begins at one.
    [
      "Africa/Cairo",
      "2026-04-22T22:00:00Z",
      "2026-04-24T21:00:00Z",
      [
        ["2026-04-22T22:00:00.000Z", 96],
        ["2026-04-23T22:00:00.000Z", 92],
      ],
    ],
  ])("of %s from %s", (zone, since, until, days) => {
    expect(steps(zone, "1d", since, until)).toEqual(days);
  });
});

test("hours are told apart where the clocks go back", () => {
  expect(steps("Europe/Berlin", "1h", "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z")).toEqual([
    ["2026-10-25T00:00:00.000Z", 4],
    ["2026-10-25T01:00:00.000Z", 4],
  ]);
});

test("hours of a zone that is a quarter beside them begin with its own hours", () => {
  expect(steps("Asia/Kathmandu", "1h", "2026-01-10T00:15:00Z", "2026-01-10T02:15:00Z")).toEqual([
    ["2026-01-10T00:15:00.000Z", 4],
    ["2026-01-10T01:15:00.000Z", 4],
  ]);
});

test.each(Intl.supportedValuesOf("timeZone"))(
  "the days of %s in a year are as Intl has them",
  (zone) => {
    const [first, last] = [quarter("2026-01-01T00:00:00Z"), quarter("2027-01-01T00:00:00Z")];
    const offsets = offsetsOf(zone, first, last);
    const local = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
    for (let at = first + 17; at < last; at += 61) {
      const start = startOf(bucketOf(at, "1d", offsets), "1d", offsets);
      const day = local.format(at * usageQuarterMs);
      if (start < first) continue;
      expect(local.format(start * usageQuarterMs)).toBe(day);
      expect(local.format((start - 1) * usageQuarterMs)).not.toBe(day);
    }
  },
);

test.each([
  ["UTC", true],
  ["Europe/Berlin", true],
  ["America/Argentina/Buenos_Aires", true],
  ["+02:00", false],
  ["Mars/Olympus", false],
  ["", false],
  ["'; DROP TABLE records", false],
])("%j is a zone: %s", (name, is) => {
  expect(isZone(name)).toBe(is);
});
