import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JobQueue, type ClaimedItem, type QueuedJob } from "../../../src/store/jobs/job-queue.ts";

function job(jobId: string, orgId: string, items: number, createdAtMs = 0): QueuedJob {
  const all = Array.from({ length: items }, (_, i) => i);
  return {
    jobId,
    orgId,
    apiKeyId: "key",
    createdAtMs,
    ids: all.map(String),
    bytes: all.map(() => 10),
    attempts: all.map(() => 0),
  };
}

function queueOf(...jobs: readonly QueuedJob[]): JobQueue {
  const queue = new JobQueue();
  for (const one of jobs) queue.add(one);
  return queue;
}

/** Claims, as `job/index`, until nothing more may start. */
function claims(queue: JobQueue, nowMs = 0, max = Infinity): string[] {
  const names: string[] = [];
  while (names.length < max) {
    const item = queue.claim(nowMs);
    if (item === undefined) return names;
    names.push(`${item.jobId}/${item.index}`);
  }
  return names;
}

function claimed(queue: JobQueue, nowMs = 0): ClaimedItem {
  const item = queue.claim(nowMs);
  if (item === undefined) throw new Error("nothing may start");
  return item;
}

describe("turns", () => {
  test("workspaces take turns, item by item", () => {
    const queue = queueOf(job("long", "a", 1_000), job("short", "b", 1), job("other", "c", 2));
    expect(claims(queue, 0, 6)).toEqual([
      ...["long/0", "short/0", "other/0"],
      ...["long/1", "other/1", "long/2"],
    ]);
  });

  test("a workspace that comes later has the next turn but one", () => {
    const queue = queueOf(job("long", "a", 1_000));
    claims(queue, 0, 500);
    queue.add(job("late", "b", 1));
    expect(claims(queue, 0, 2)).toContain("late/0");
  });

  test("a workspace whose jobs have ended has turns again with its next one", () => {
    const queue = queueOf(job("first", "a", 1));
    queue.ended(claimed(queue));
    queue.add(job("second", "a", 1));
    expect(claims(queue)).toEqual(["second/0"]);
  });

  test("within a workspace the oldest job goes first, in the order of its items", () => {
    const queue = queueOf(job("old", "a", 2), job("new", "a", 2));
    expect(claims(queue)).toEqual(["old/0", "old/1", "new/0", "new/1"]);
  });

  test("an item that was put back goes behind those that have not started", () => {
    const queue = queueOf(job("j", "a", 3));
    queue.putBack(claimed(queue), 1);
    expect(claims(queue)).toEqual(["j/1", "j/2", "j/0"]);
  });

  test("one that was released keeps its place, and has not started", () => {
    const queue = queueOf(job("j", "a", 2));
    queue.release(claimed(queue));
    expect(queue.states("j")).toEqual({ started: false, items: ["queued", "queued"] });
    expect(claimed(queue)).toMatchObject({ index: 0, isRetry: false });
  });

  test("one that was put back is a retry with its attempts", () => {
    const queue = queueOf(job("j", "a", 1));
    queue.putBack(claimed(queue), 2);
    expect(claimed(queue)).toMatchObject({ attempts: 2, isRetry: true });
  });

  test("one that was put back and ended while it waited does not start again", () => {
    const queue = queueOf(job("j", "a", 2));
    queue.putBack(claimed(queue), 1);
    queue.ended({ jobId: "j", index: 0 });
    expect(claims(queue)).toEqual(["j/1"]);
  });

  test("a retry that was released is one still, and its job has started", () => {
    const queue = queueOf(job("j", "a", 1));
    queue.putBack(claimed(queue), 1);
    queue.release(claimed(queue));
    expect(queue.states("j")).toEqual({ started: true, items: ["queued"] });
    expect(claimed(queue)).toMatchObject({ attempts: 1, isRetry: true });
  });

  test("a job has started while another of its items has, whatever is released", () => {
    const queue = queueOf(job("j", "a", 2));
    queue.putBack(claimed(queue), 0);
    queue.release(claimed(queue));
    expect(queue.states("j")).toEqual({ started: true, items: ["queued", "queued"] });
  });

  test("of two times that a workspace is told to wait for the later one counts", () => {
    const queue = queueOf(job("a", "a", 1));
    queue.postpone("a", 100);
    queue.postpone("a", 50);
    expect(claims(queue, 99)).toEqual([]);
    expect(claims(queue, 100)).toEqual(["a/0"]);
  });

  test("a postponed workspace waits, and no other does", () => {
    const queue = queueOf(job("a", "a", 2), job("b", "b", 1));
    queue.postpone("a", 100);
    expect(claims(queue, 99)).toEqual(["b/0"]);
    expect(claims(queue, 100)).toEqual(["a/0", "a/1"]);
  });
});

test("a backlog is what has not ended, and ends with each item once", () => {
  const queue = queueOf(job("j", "a", 3), { ...job("k", "a", 2), attempts: [null, 1] });
  expect(queue.backlog("a")).toEqual({ items: 4, bytes: 40 });
  const first = claimed(queue);
  queue.ended(first);
  queue.ended(first);
  claimed(queue);
  expect(queue.backlog("a")).toEqual({ items: 3, bytes: 30 });
  expect(queue.backlog("b")).toEqual({ items: 0, bytes: 0 });
});

test("what waits of old jobs is found, what runs is not", () => {
  const queue = queueOf(job("old", "a", 2, 5), job("new", "a", 1, 6));
  claimed(queue);
  expect(queue.queuedBefore(6, 10).map(({ jobId, index }) => [jobId, index])).toEqual([["old", 1]]);
});

test("whatever happens, every item is claimed by one at a time and ends once", () => {
  const move = fc.constantFrom("claim", "end", "putBack", "release", "expire", "postpone");
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ org: fc.constantFrom("a", "b", "c"), items: fc.integer({ min: 1, max: 5 }) }),
        { maxLength: 5 },
      ),
      fc.array(fc.tuple(move, fc.nat()), { maxLength: 200 }),
      (shapes, moves) => {
        const queue = queueOf(...shapes.map(({ org, items }, i) => job(`j${i}`, org, items)));
        const total = shapes.reduce((sum, { items }) => sum + items, 0);
        const running: ClaimedItem[] = [];
        const names = new Set<string>();
        const ended = new Set<string>();
        const name = ({ jobId, index }: ClaimedItem) => `${jobId}/${index}`;
        const take = (at: number) => running.splice(at % running.length, 1)[0];
        let nowMs = 0;
        const end = (item: ClaimedItem | undefined): void => {
          if (item === undefined) return;
          expect(ended.has(name(item))).toBe(false);
          ended.add(name(item));
          names.delete(name(item));
          queue.ended(item);
        };
        const step = (kind: string, at: number): void => {
          nowMs += 1;
          if (kind === "claim") {
            const item = queue.claim(nowMs);
            if (item === undefined) return;
            expect(names.has(name(item)) || ended.has(name(item))).toBe(false);
            names.add(name(item));
            running.push(item);
            return;
          }
          if (kind === "postpone") return queue.postpone("a", nowMs + (at % 3));
          if (kind === "expire") return end(queue.queuedBefore(1, 1)[0]);
          if (running.length === 0) return;
          const item = take(at);
          if (item === undefined) return;
          if (kind === "end") return end(item);
          names.delete(name(item));
          if (kind === "putBack") queue.putBack(item, 1);
          else queue.release(item);
        };
        for (const [kind, at] of moves) step(kind, at);
        for (const item of running.splice(0)) end(item);
        for (
          let item = queue.claim(nowMs + 10);
          item !== undefined;
          item = queue.claim(nowMs + 10)
        ) {
          end(item);
        }
        expect(ended.size).toBe(total);
        expect(queue.isEmpty).toBe(true);
      },
    ),
  );
});
