import { describe, expect, it } from "vitest";
import {
  ScanQueue,
  type PendingScan,
  type ScanQueueBounds,
} from "../../../src/workers/pool/scan-queue.ts";

const bounds: ScanQueueBounds = {
  queueMax: 4,
  queueBytesMax: 100,
  batchMax: 3,
  batchBytesMax: 80,
};

function scanOf(bytes: number, sinceMs = 0, alone = false): PendingScan {
  const job = { kind: "text", bytes: new Uint8Array(bytes), sensitivity: "balanced" } as const;
  return { job, answer: () => undefined, alone, sinceMs };
}

/** The bytes of the scans that travel next. */
function taken(queue: ScanQueue): number[] {
  return queue.takeBatch(1).map(({ job }) => job.bytes.length);
}

describe("the scans that wait", () => {
  it("leave their room when they are taken, however often", () => {
    const queue = new ScanQueue(bounds);
    for (let round = 0; round < 3; round++) {
      expect([60, 40, 1].map((bytes) => queue.push(scanOf(bytes)))).toEqual([true, true, false]);
      expect([taken(queue), taken(queue), taken(queue)]).toEqual([[60], [40], []]);
    }
  });

  it("are as many as may wait, and one of any size", () => {
    const queue = new ScanQueue(bounds);
    expect([1, 2, 3, 4, 5].map((bytes) => queue.push(scanOf(bytes)))).toEqual([
      ...[true, true, true, true, false],
    ]);
    expect([taken(queue), taken(queue)]).toEqual([[1, 2, 3], [4]]);
    expect([queue.push(scanOf(1_000)), queue.push(scanOf(1))]).toEqual([true, false]);
  });

  it("count again where they are put back, go first, and alone if they must", () => {
    const queue = new ScanQueue(bounds);
    queue.push(scanOf(30, 1));
    const [first] = queue.takeBatch(1);
    if (first === undefined) throw new Error("nothing was taken");
    queue.push(scanOf(40, 2));
    expect(queue.firstSinceMs).toBe(2);
    queue.putBack([{ ...first, alone: true }]);
    expect([queue.length, queue.firstSinceMs, queue.push(scanOf(40))]).toEqual([2, 1, false]);
    expect([taken(queue), taken(queue)]).toEqual([[30], [40]]);
    expect([queue.length, queue.firstSinceMs]).toEqual([0, null]);
    expect([queue.push(scanOf(60)), queue.push(scanOf(40))]).toEqual([true, true]);
  });
});
