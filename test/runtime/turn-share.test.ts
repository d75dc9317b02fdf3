import { describe, expect, test } from "vitest";
import { TurnShare } from "../../src/runtime/turn-share.ts";
import { LoopTurns } from "../support/loop-turns.ts";

describe("several callers together", () => {
  test("begin no step in a turn that has had its share, and take turns", async () => {
    const turns = new LoopTurns();
    const share = new TurnShare(10);
    const steps: { caller: number; turn: number }[] = [];
    const caller = async (number: number): Promise<void> => {
      for (let i = 0; i < 6; i += 1) {
        await share.run(() => {
          steps.push({ caller: number, turn: turns.now });
          return { value: null, cost: 4 };
        });
      }
    };
    await Promise.all([1, 2, 3].map(caller));
    turns.stop();
    expect(steps).toHaveLength(18);
    const inTurns = Map.groupBy(steps, ({ turn }) => turn);
    // 4, 8, and the one that goes over 10.
    expect(Math.max(...[...inTurns.values()].map(({ length }) => length))).toBe(3);
    expect(steps.slice(0, 6).map(({ caller: who }) => who)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test("go on behind a step that throws", async () => {
    const share = new TurnShare(1);
    const bug = share.run<null>(() => {
      throw new Error("a bug");
    });
    const next = share.run(() => ({ value: "next", cost: 5 }));
    const late = share.run(() => ({ value: "late", cost: 5 }));
    await expect(bug).rejects.toThrow("a bug");
    expect(await Promise.all([next, late])).toEqual(["next", "late"]);
  });

  test("run one step at a time, also where it waits", async () => {
    const share = new TurnShare(100);
    const seen: string[] = [];
    const slow = share.run(async () => {
      seen.push("slow begins");
      await new Promise((resolve) => setImmediate(resolve));
      seen.push("slow ends");
      return { value: null, cost: 1 };
    });
    const quick = share.run(() => {
      seen.push("quick");
      return { value: null, cost: 1 };
    });
    await Promise.all([slow, quick]);
    expect(seen).toEqual(["slow begins", "slow ends", "quick"]);
  });
});
