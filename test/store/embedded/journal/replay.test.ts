import { readFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { microUsd } from "../../../../src/contract/money.ts";
import { EventPacker } from "../../../../src/store/journal/event-packer.ts";
import type { JournalBatch, JournalOperation } from "../../../../src/store/journal/batch.ts";
import { JournalFile, journalPathIn } from "../../../../src/store/embedded/journal/journal-file.ts";
import {
  encodeBatch,
  journalSlotBytes,
} from "../../../../src/store/embedded/journal/journal-record.ts";
import { openStore, type Store } from "../../../../src/store/embedded/store.ts";
import { openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

/** A hold with its event; the second batch ends the hold of the first, and so on. */
function batchOf(number: number, characters = 10): JournalBatch {
  const packer = new EventPacker();
  packer.line(`${number}`.padEnd(characters, "x"));
  const hold = { requestId: `r-${number}`, orgId: "org_1", amount: microUsd(1n) };
  const operations: JournalOperation[] = [
    { kind: "hold", ...hold },
    { kind: "unhold", requestId: `r-${number - 1}` },
  ];
  return { number, events: [packer.take()], operations };
}

/** A data directory whose gateway was killed when these were durable and not in LMDB. */
async function left(batches: readonly JournalBatch[]): Promise<string> {
  const dataDir = temporaryDirectory();
  await (await openedStore(dataDir)).close();
  const file = new JournalFile(journalPathIn(dataDir));
  for (const batch of batches) {
    valueOf(await file.append(batch.number, encodeBatch(batch) ?? Buffer.alloc(0)));
  }
  file.close();
  return dataDir;
}

async function reopened(dataDir: string): Promise<Store> {
  const store = await openedStore(dataDir);
  onTestFinished(() => store.close());
  return store;
}

function stateOf({ journal }: Store) {
  return {
    applied: journal.meta.get("journalBatch"),
    events: journal.meta.get("eventCount"),
    holds: [...journal.holds.getKeys()],
  };
}

test("a start brings into LMDB what a crash has left, once", async () => {
  const dataDir = await left([1, 2, 3].map((number) => batchOf(number)));
  const expected = { applied: 3, events: 3, holds: ["r-3"] };
  for (const replayedBatches of [3, 0]) {
    const opened = await openStore({ dataDir });
    if (!opened.ok) throw new Error(opened.fault);
    expect(opened).toMatchObject({ replayedBatches });
    expect(stateOf(opened.value)).toEqual(expected);
    await opened.value.close();
  }
});

test("more than one transaction takes is there as well", async () => {
  const dataDir = await left(Array.from({ length: 20 }, (_, i) => batchOf(i + 1, 300 * 1024)));
  expect(stateOf(await reopened(dataDir))).toEqual({ applied: 20, events: 20, holds: ["r-20"] });
});

test("a torn last batch is as if it had never been", async () => {
  const dataDir = await left([1, 2].map((number) => batchOf(number)));
  const file = readFileSync(journalPathIn(dataDir));
  file.fill(0, 2 * journalSlotBytes + 50, 2 * journalSlotBytes + 60);
  writeFileSync(journalPathIn(dataDir), file);
  expect(stateOf(await reopened(dataDir))).toEqual({ applied: 1, events: 1, holds: ["r-1"] });
});

test("a damaged file is no start, and changes nothing", async () => {
  const dataDir = await left([1, 2, 3].map((number) => batchOf(number)));
  const path = journalPathIn(dataDir);
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged.fill(0, 2 * journalSlotBytes + 50, 2 * journalSlotBytes + 60);
  writeFileSync(path, damaged);
  const refused = { ok: false, fault: expect.stringContaining("batch 2 is missing") as unknown };
  expect(await openStore({ dataDir })).toMatchObject(refused);
  // Neither the file nor LMDB is touched: whoever has the right file can start.
  writeFileSync(path, whole);
  expect(stateOf(await reopened(dataDir)).applied).toBe(3);
});

test("a full disk is no start as long as something is left", async () => {
  const dataDir = await left([batchOf(1)]);
  const freeBytes = () => 0;
  expect(await openStore({ dataDir, freeBytes })).toMatchObject({
    ok: false,
    fault: expect.stringContaining("no room") as unknown,
  });
  await (await openedStore(dataDir)).close();
  const store = await openedStore(dataDir, freeBytes);
  await store.close();
});
