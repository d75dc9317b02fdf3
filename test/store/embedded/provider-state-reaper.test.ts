import { expect, test } from "vitest";
import { openLedger } from "../../../src/store/embedded/ledger/open-ledger.ts";
import { ProviderStateReaper } from "../../../src/store/embedded/provider-state-reaper.ts";
import { openedStore, temporaryDirectory, valueOf } from "../temporary-store.ts";

const dayMs = 86_400_000;
const nowMs = 1_800_000_000_000;

test("ids older than the retention go, part by part, and the others stay", async () => {
  const store = await openedStore(temporaryDirectory());
  const books = valueOf(
    await openLedger(store, {
      billingUrl: () => "https://billing.example",
      onFailure: (error) => {
        throw error instanceof Error ? error : new Error(String(error));
      },
    }),
  );
  const { journal } = books;
  const bind = (orgId: string, id: string, ageDays: number) => ({
    kind: "bind" as const,
    orgId,
    account: "a",
    ids: [id],
    atMs: nowMs - ageDays * dayMs,
  });
  journal.append(
    [],
    [
      ...[bind("org_1", "old", 91), bind("org_1", "young", 89)],
      ...[bind("org_2", "old", 3), bind("org_2", "young", 1), bind("org_3", "old", 100)],
    ],
  );
  expect(await journal.appliedAll(null)).toBe(true);
  const reaper = new ProviderStateReaper({
    rows: store.journal.providerState,
    journal,
    clock: { wallMs: () => nowMs, monotonicMs: () => 0 },
    retentionDays: (orgId) => (orgId === "org_2" ? 2 : null),
    onFailure: (error) => {
      throw error;
    },
  });
  // Two rows each time: the fifth row and the end of the table are seen by the third step.
  expect([reaper.step(2), reaper.step(2), reaper.step(2)]).toEqual([true, true, false]);
  reaper.stop();
  expect(await journal.appliedAll(null)).toBe(true);
  store.journal.providerState.resetReadTxn();
  expect([...store.journal.providerState.getKeys()]).toEqual([
    ["org_1", "young"],
    ["org_2", "young"],
  ]);
  await books.close();
  await store.close();
});
