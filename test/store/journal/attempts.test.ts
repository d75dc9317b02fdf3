import { expect, test } from "vitest";
import { refuse } from "../../../src/contract/errors.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { Attempts } from "../../../src/store/journal/attempts.ts";

const full = refuse("internal_error", "no room");

test("writes that fail at once are told of once, and have resumed when all of them have", async () => {
  const told: string[] = [];
  const attempts = new Attempts({
    msMax: 60_000,
    retryMs: 1,
    onFailed: (reason) => told.push(reason),
    onResumed: () => told.push("resumed"),
  });
  const disks = [{ isFull: true }, { isFull: true }];
  const written = disks.map(
    (disk) =>
      new Promise<boolean>((ended) => {
        const write = () => Promise.resolve(disk.isFull ? full : accept(null));
        void attempts.untilWritten(write, ended);
      }),
  );
  await expect.poll(() => told).toEqual(["no room"]);
  disks.pop();
  for (const disk of disks) disk.isFull = false;
  expect([await written[0], attempts.failing, told]).toEqual([true, true, ["no room"]]);
  attempts.close();
  expect(await written[1]).toBe(false);
  expect(told).toEqual(["no room"]);
});
