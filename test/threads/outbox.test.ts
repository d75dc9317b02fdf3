import { describe, expect, test } from "vitest";
import { journalPendingBytesMax } from "../../src/contract/limits.ts";
import { packedLine } from "../../src/contract/packed-log.ts";
import { ByteReader } from "../../src/runtime/packed-bytes.ts";
import type { ThreadBatch } from "../../src/threads/messages.ts";
import type { KeyLastUse } from "../../src/store/keys/key-uses.ts";
import { Outbox } from "../../src/threads/outbox.ts";
import { SharedFlags } from "../../src/threads/shared-flags.ts";
import { keptBytes } from "../support/kept-bytes.ts";

function outboxOf(threads: number, uses: KeyLastUse[] = []) {
  const words = new SharedFlags(threads);
  const batches: ThreadBatch[] = [];
  const outbox = new Outbox({
    words,
    index: 0,
    threads,
    post: (batch) => batches.push(batch),
    takeUses: () => uses.splice(0),
  });
  return { words, batches, outbox };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a proxy thread's outbox", () => {
  test("sends what one turn appends in one batch, and tells who waits when it is durable", async () => {
    const { words, batches, outbox } = outboxOf(1);
    const marks = [
      outbox.append(["{}"], [{ kind: "unhold", requestId: "a" }]),
      outbox.append(["{}"], []),
    ];
    outbox.write("a line\n");
    const settled: boolean[] = [];
    const waits = marks.map((mark) =>
      outbox.flushed(mark, null).then((durable) => settled.push(durable)),
    );
    await turn();
    expect(batches).toMatchObject([
      {
        number: 1,
        events: { count: 2 },
        operations: [{ requestId: "a" }],
        urgent: true,
      },
    ]);
    const lines = new ByteReader(batches[0]?.log ?? Buffer.alloc(0));
    expect([lines.packed(), lines.isAtEnd]).toEqual([packedLine("a line\n"), true]);
    outbox.woken();
    await turn();
    expect(settled).toEqual([]);
    words.setDurable(0, 1);
    outbox.woken();
    await Promise.all(waits);
    expect(settled).toEqual([true, true]);
  });

  test("hurries what was sent when nobody waited yet", async () => {
    const { batches, outbox } = outboxOf(1);
    const mark = outbox.append(["{}"], []);
    outbox.post();
    void outbox.flushed(mark, null);
    await turn();
    expect(batches.map(({ number, urgent }) => [number, urgent])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test("sends the use of a key where there is nothing else to send", async () => {
    const uses: KeyLastUse[] = [];
    const { batches, outbox } = outboxOf(1, uses);
    uses.push({ keyId: "key", lastMs: 7 });
    outbox.keyUsed();
    await expect.poll(() => batches).toMatchObject([{ uses: [{ keyId: "key", lastMs: 7 }] }]);
  });

  test("remembers nothing of batches that have nothing for the journal", () => {
    const { words, batches, outbox } = outboxOf(1);
    const keptAfter = (posts: number): number => {
      for (let i = 0; i < posts; i += 1) {
        outbox.write("a line\n");
        outbox.post();
        words.addNotesTaken(0, "a line\n".length);
        batches.length = 0;
      }
      return keptBytes();
    };
    const before = keptAfter(10_000);
    expect(keptAfter(300_000) - before).toBeLessThan(4e6);
  });

  test("gives up waiting when the time is over", async () => {
    const { outbox } = outboxOf(1);
    expect(await outbox.flushed(outbox.append(["{}"], []), 1)).toBe(false);
  });

  test("takes nothing that needs a record while its share waits, or the journal can't be written", () => {
    const { words, outbox } = outboxOf(2);
    const event = "x".repeat(2 ** 20);
    for (let bytes = 0; bytes < journalPendingBytesMax / 2; bytes += event.length) {
      expect([outbox.accepting, outbox.full]).toEqual([true, false]);
      outbox.append([event], []);
      outbox.post();
    }
    expect([outbox.accepting, outbox.full]).toEqual([false, true]);
    words.setDurable(0, 1);
    expect([outbox.accepting, outbox.full]).toEqual([true, false]);
    words.journalFails = true;
    expect([outbox.accepting, outbox.full]).toEqual([false, false]);
    words.journalFails = false;
    words.journalFull = true;
    expect([outbox.accepting, outbox.full]).toEqual([false, true]);
  });

  test("drops readable content that the main thread does not take", () => {
    const { words, batches, outbox } = outboxOf(1);
    const bytes = new Uint8Array(2 ** 20);
    const keep = () =>
      outbox.keep("org", "request", {
        request: { bytes, length: bytes.length },
        response: null,
        salt: null,
      });
    for (let i = 0; i < 40; i += 1) keep();
    expect(outbox.dropped).toBe(9);
    outbox.post();
    const contents = batches[0]?.contents ?? new Uint8Array();
    let kept = 0;
    for (const packed = new ByteReader(contents); !packed.isAtEnd; kept += 1) packed.packed();
    expect(kept).toBe(31);
    words.addNotesTaken(0, contents.length);
    keep();
    expect(outbox.dropped).toBe(9);
  });
});
