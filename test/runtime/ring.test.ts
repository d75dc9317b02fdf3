import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ringBuffer, RingReader, RingWriter } from "../../src/runtime/ring.ts";

describe("a ring", () => {
  test("gives records in their order, whatever their lengths, over many laps", () => {
    const step = fc.oneof(
      fc.record({ write: fc.uint8Array({ maxLength: 60 }) }),
      fc.record({ write: fc.uint8Array({ maxLength: 30 }) }),
      fc.constant("read" as const),
      fc.constant("release" as const),
      fc.constant("restart" as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
        const buffer = ringBuffer(128);
        const writer = new RingWriter(buffer);
        let reader = new RingReader(buffer);
        // What is in the ring, and how many of these have been read.
        let held: Buffer[] = [];
        let read = 0;
        let refused = 0;
        for (const each of steps) {
          if (each === "read") {
            const record = reader.next();
            expect(record === null ? null : Buffer.from(record)).toEqual(held[read] ?? null);
            if (record !== null) read += 1;
          } else if (each === "release") {
            reader.release();
            held = held.slice(read);
            read = 0;
          } else if (each === "restart") {
            reader = new RingReader(buffer);
            read = 0;
          } else if (writer.write(Buffer.from(each.write))) {
            held.push(Buffer.from(each.write));
          } else {
            refused += 1;
          }
        }
        expect(reader.takeRefused()).toBe(refused);
      }),
      { numRuns: 200 },
    );
  });

  test("refuses what it has no room for, and takes it once there is", () => {
    const buffer = ringBuffer(64);
    const [writer, reader] = [new RingWriter(buffer), new RingReader(buffer)];
    const record = Buffer.alloc(28, 1);
    expect([writer.write(record), writer.write(record), writer.write(record)]).toEqual([
      true,
      true,
      false,
    ]);
    reader.next();
    // It is read, and its bytes may still be looked at.
    expect(writer.write(record)).toBe(false);
    reader.release();
    expect(writer.write(record)).toBe(true);
    expect([reader.takeRefused(), reader.takeRefused()]).toEqual([2, 0]);
  });

  test("wakes a thread that sleeps, and waits until that has flushed", async () => {
    const buffer = ringBuffer(64);
    const { href } = new URL("../../src/runtime/ring.ts", import.meta.url);
    const code = `
      import { parentPort, workerData } from "node:worker_threads";
      const { RingReader } = await import(${JSON.stringify(href)});
      const reader = new RingReader(workerData);
      for (;;) {
        reader.sleep();
        for (let record; (record = reader.next()) !== null;) parentPort.postMessage(record.toString());
        reader.release();
        if (reader.flushWanted) reader.flushed();
      }`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
      workerData: buffer,
    });
    const heard: string[] = [];
    try {
      const writer = new RingWriter(buffer);
      worker.on("message", (text: string) => heard.push(text));
      expect(writer.flush(10_000)).toBe(true);
      for (let i = 0; i < 50; i += 1) {
        expect(writer.write(Buffer.from(`record ${i}`))).toBe(true);
        expect(writer.flush(10_000)).toBe(true);
      }
      writer.write(Buffer.from("the last"));
      await expect.poll(() => heard.length).toBe(51);
      expect(heard.slice(49)).toEqual(["record 49", "the last"]);
    } finally {
      await worker.terminate();
    }
    // Nobody is there.
    expect(new RingWriter(ringBuffer(64)).flush(1)).toBe(false);
  });
});
