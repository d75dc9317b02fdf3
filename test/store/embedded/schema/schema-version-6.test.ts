import { expect, it, onTestFinished } from "vitest";
import { Jobs } from "../../../../src/store/embedded/jobs/jobs.ts";
import { openBooks, orgId } from "../../ledger/books.ts";
import { ManualClock } from "../../manual-clock.ts";
import { openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

it("opens a store of version 5: its batch jobs are listed", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const books = await openBooks({ store });
  const clock = new ManualClock();
  const jobs = new Jobs({ tables: store.journal, journal: books.journal, clock });
  const body = Buffer.from("x");
  const made: string[] = [];
  for (let i = 0; i < 3; i++) {
    const job = { orgId, apiKeyId: "key_1", ids: ["a"], body, starts: [0], ends: [1] };
    made.unshift(valueOf(await jobs.submit(job)).jobId);
    clock.advance(1);
  }
  await books.close();
  // As the release before wrote it.
  await store.tables.meta.transaction(() => {
    store.journal.jobsByOrg.clearSync();
    store.tables.meta.putSync("schemaVersion", 5);
  });
  await store.close();

  const again = await openedStore(dataDir);
  onTestFinished(() => again.close());
  expect(again.tables.meta.get("schemaVersion")).toBe(6);
  const { journal } = await openBooks({ store: again });
  const taken = new Jobs({ tables: again.journal, journal, clock });
  for (const of of [orgId, null]) {
    const listed = taken.views.list({ orgId: of, limit: 9, after: null }).jobs;
    expect(listed.map(({ jobId }) => jobId)).toEqual(made);
  }
});
