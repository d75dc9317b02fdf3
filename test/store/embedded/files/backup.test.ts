import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backUp } from "../../../../src/store/embedded/files/backup.ts";
import { JournalFile, journalPathIn } from "../../../../src/store/embedded/journal/journal-file.ts";
import { encodeBatch } from "../../../../src/store/embedded/journal/journal-record.ts";
import { EventPacker } from "../../../../src/store/journal/event-packer.ts";
import { openBooks } from "../../ledger/books.ts";
import { openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

async function eventsIn(dataDir: string): Promise<number | undefined> {
  const store = await openedStore(dataDir);
  const count = store.journal.meta.get("eventCount");
  await store.close();
  return count;
}

test("what a killed gateway has left in its journal is in the copy of its store", async () => {
  const [dataDir, copy] = [temporaryDirectory(), join(temporaryDirectory(), "copy")];
  await (await openedStore(dataDir)).close();
  const file = new JournalFile(journalPathIn(dataDir));
  const packer = new EventPacker();
  packer.line("an event");
  const batch = { number: 1, events: [packer.take()], operations: [] };
  valueOf(await file.append(1, encodeBatch(batch) ?? Buffer.alloc(0)));
  file.close();
  expect(await backUp(dataDir, copy)).toMatchObject({ ok: true, value: [{ name: "weir.mdb" }] });
  expect(existsSync(journalPathIn(copy))).toBe(false);
  expect(await eventsIn(copy)).toBe(1);
});

test("what is durable in a gateway that runs is in the copy", async () => {
  const [dataDir, copy] = [temporaryDirectory(), join(temporaryDirectory(), "copy")];
  const store = await openedStore(dataDir);
  onTestFinished(() => store.close());
  const { journal } = await openBooks({ store });
  for (let events = 1; events <= 3; events += 1) {
    expect(await journal.flushed(journal.append(["{}"]), null)).toBe(true);
  }
  expect(await backUp(dataDir, copy)).toMatchObject({ ok: true });
  expect(await eventsIn(copy)).toBe(3);
});
