import { describe, expect, it, test } from "vitest";
import { compare, type Verdict } from "../../bench/report/compare.ts";
import { figure } from "./figures.ts";

function verdict(before: readonly number[], after: readonly number[], better = "lower"): string {
  const told = { better: better === "lower" ? "lower" : "higher" } as const;
  const [change] = compare([figure(before, told)], [figure(after, told)]).changes;
  return change?.verdict ?? "none";
}

const noisy = [100, 98, 103, 101, 97];
const scaled = (by: number): readonly number[] => noisy.map((value) => value * by);

describe("a figure", () => {
  test.each<readonly [string, readonly number[], readonly number[], string, Verdict]>([
    ["the same rounds", noisy, noisy, "lower", "same"],
    ["a fifth more time", noisy, scaled(1.2), "lower", "worse"],
    ["a fifth less time", noisy, scaled(0.8), "lower", "better"],
    ["a fifth more speed", noisy, scaled(1.2), "higher", "better"],
    ["sure, but too little", [100, 100.1, 100.2, 100.3, 100.4], scaled(1.04), "lower", "same"],
    [
      "much, but within the noise",
      [60, 80, 100, 150, 170],
      [70, 90, 125, 140, 160],
      "lower",
      "same",
    ],
    ["three rounds that lie apart", [100, 101, 102], [120, 121, 122], "lower", "perhaps worse"],
    ["three rounds against five", [100, 101, 102], scaled(1.3), "lower", "perhaps worse"],
    ["three rounds that overlap", [100, 101, 130], [120, 121, 122], "lower", "same"],
    ["one round each", [100], [90], "lower", "perhaps better"],
    ["from nothing to something", [0, 0, 0, 0, 0], noisy, "lower", "worse"],
    ["from nothing to nothing", [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], "lower", "same"],
  ])("%s", (_, before, after, better, is) => expect(verdict(before, after, better)).toBe(is));

  it("tells by how much its median has moved", () => {
    const [change] = compare([figure(noisy)], [figure(scaled(1.5))]).changes;
    expect(change?.shift).toBeCloseTo(0.5);
  });
});

it("compares what has one id, subject and unit", () => {
  const before = [
    figure(noisy, { id: "gone" }),
    figure(noisy, { id: "kept" }),
    figure(noisy, { id: "other unit" }),
    figure(noisy, { id: "other subject" }),
  ];
  const after = [
    figure(noisy, { id: "kept", label: "Another label" }),
    figure(noisy, { id: "other unit", unit: "ms" }),
    figure(noisy, { id: "other subject", subject: "nginx" }),
    figure(noisy, { id: "new" }),
  ];
  const { changes, added, removed } = compare(before, after);
  expect(changes.map(({ figure: { id } }) => id)).toEqual(["kept"]);
  expect(added).toEqual(["other unit", "other subject", "new"]);
  expect(removed).toEqual(["gone", "other unit", "other subject"]);
});

/** An endless row of numbers from 0 to 1, the same for a seed (Park and Miller, 1988). */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
}

/** How many of 1,000 comparisons are marked where the rounds have such noise and such a shift. */
function marked(noise: number, shift: number): number {
  const next = random(20_261_121);
  const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const rounds = (middle: number): number[] =>
    Array.from({ length: 5 }, () => middle * (1 + noise * normal()));
  const verdicts = Array.from({ length: 1_000 }, () =>
    verdict(rounds(100), rounds(100 * (1 + shift))),
  );
  return verdicts.filter((each) => each !== "same").length;
}

describe("of 1,000 figures with five rounds", () => {
  it("marks none whose noise of 2 % is all", () => expect(marked(0.02, 0)).toBe(0));
  it("marks about one in a hundred whose noise of 20 % is all", () =>
    expect(marked(0.2, 0)).toBeLessThanOrEqual(15));
  it("marks all that are a fifth slower, with a noise of 2 %", () =>
    expect(marked(0.02, 0.2)).toBe(1_000));
  it("marks nearly all that are a fifth slower, with a noise of 4 %", () =>
    expect(marked(0.04, 0.2)).toBeGreaterThan(900));
});
