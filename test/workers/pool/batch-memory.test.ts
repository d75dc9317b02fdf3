import { describe, expect, it } from "vitest";
import { scanBatchMax } from "../../../src/contract/limits.ts";
import {
  ScanBatchReader,
  ScanBatchWriter,
  newBatchMemory,
} from "../../../src/workers/pool/batch-memory.ts";
import type { ScanJob, WorkerJob } from "../../../src/workers/pool/scan-job.ts";

function bothSides() {
  const memory = newBatchMemory();
  return { writer: new ScanBatchWriter(memory), reader: new ScanBatchReader(memory), memory };
}

function written(writer: ScanBatchWriter, jobs: readonly WorkerJob[]): boolean {
  return writer.write(jobs.map((job) => ({ job })));
}

/** The batch as the worker sees it, with each scan's bytes as text. */
function readBy(reader: ScanBatchReader): unknown[] {
  const scans: unknown[] = [];
  reader.visit(({ start, end, ...job }, bytes) => {
    scans.push({ ...job, bytes: bytes.toString("utf8", start, end) });
  });
  return scans;
}

function textOf(length: number, orgId?: string): ScanJob {
  const owner = orgId === undefined ? {} : { orgId };
  return { kind: "text", bytes: Buffer.alloc(length, "x"), sensitivity: "balanced", ...owner };
}

const report: WorkerJob = {
  kind: "report",
  target: "input",
  bytes: Buffer.from("{}"),
  options: {
    injection: true,
    sensitivity: "balanced",
    entities: [],
    entityScoreThreshold: null,
    segment: "user",
    customPatterns: false,
  },
};

describe("the memory of a batch", () => {
  it("brings every kind of scan over, batch after batch", () => {
    const { writer, reader } = bothSides();
    const body = { kind: "provider_request", bytes: Buffer.from('{"a":"ü"}') } as const;
    const batches: ScanJob[][] = [
      [
        { ...body, format: "openai", sensitivity: "strict", orgId: "org_1", replaces: true },
        { ...body, format: "anthropic", sensitivity: "balanced", orgId: "" },
        { ...body, format: "responses", sensitivity: "permissive", replaces: false },
        { ...body, format: "json", sensitivity: "balanced", orgId: "größe" },
        { kind: "text", bytes: Buffer.from("plain"), sensitivity: "strict", orgId: "org_2" },
      ],
      [{ kind: "text", bytes: Buffer.alloc(0), sensitivity: "balanced" }],
      [],
      [{ ...body, format: "openai", sensitivity: "balanced" }],
    ];
    for (const jobs of batches) {
      expect(written(writer, jobs)).toBe(true);
      writer.send();
      expect([reader.wait(0), reader.isMessage]).toEqual([true, false]);
      const sent = jobs.map((job) => ({ ...job, bytes: job.bytes.toString() }));
      const replaces = jobs.map((job) =>
        job.kind === "text" ? {} : { replaces: job.replaces ?? false },
      );
      expect(readBy(reader)).toEqual(sent.map((job, i) => ({ ...job, ...replaces[i] })));
    }
    expect(reader.wait(0)).toBe(false);
  });

  it("brings scores back, each to its scan", () => {
    const { writer, reader } = bothSides();
    written(
      writer,
      Array.from({ length: scanBatchMax }, () => textOf(1)),
    );
    reader.visit((_job, _bytes, index) => reader.allow(index, index / 100, 1_000 + index));
    const [first, last] = [0, scanBatchMax - 1];
    expect([first, last].map((index) => writer.scoreOf(index))).toEqual([0, last / 100]);
    expect([first, last].map((index) => writer.leavesOf(index))).toEqual([1_000, 1_000 + last]);
    // They stand before the scans, and do not reach into them.
    expect(readBy(reader)).toHaveLength(scanBatchMax);
  });

  it("takes what fits to the last byte, and leaves the rest to a message", () => {
    const { writer, reader, memory } = bothSides();
    let [fits, tooLong] = [0, memory.byteLength];
    while (tooLong - fits > 1) {
      const length = Math.floor((fits + tooLong) / 2);
      if (written(writer, [textOf(length)])) fits = length;
      else tooLong = length;
    }
    expect(memory.byteLength - fits).toBeLessThan(1_000);
    expect(written(writer, [textOf(fits)])).toBe(true);
    expect(readBy(reader)).toMatchObject([{ bytes: "x".repeat(fits) }]);
    expect(written(writer, [textOf(fits), textOf(0)])).toBe(false);
    expect(written(writer, [textOf(fits, "o")])).toBe(false);
    // Three bytes of UTF-8 for each of its units.
    expect(written(writer, [textOf(fits - 5, "€€")])).toBe(false);
    expect(written(writer, [textOf(fits - 6, "€€")])).toBe(true);
    expect(readBy(reader)).toMatchObject([{ orgId: "€€" }]);
  });

  it.each<[string, WorkerJob[]]>([
    ["more scans than a batch has", Array.from({ length: scanBatchMax + 1 }, () => textOf(1))],
    ["a report", [textOf(1), report]],
    [
      "a body that is read in place",
      [{ kind: "text", bytes: new Uint8Array(new SharedArrayBuffer(1)), sensitivity: "balanced" }],
    ],
  ])("leaves %s to a message", (_name, jobs) => {
    const { writer, reader } = bothSides();
    expect(written(writer, jobs)).toBe(false);
    writer.sendMessage();
    expect([reader.wait(0), reader.isMessage]).toEqual([true, true]);
    expect(written(writer, [textOf(1)])).toBe(true);
    writer.send();
    expect([reader.wait(0), reader.isMessage]).toEqual([true, false]);
  });
});
