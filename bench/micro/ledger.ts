import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { microUsd } from "../../src/contract/money.ts";
import { openLedger } from "../../src/store/ledger/open-ledger.ts";
import { openStore } from "../../src/store/store.ts";

/** What a hold and its debit cost the loop, their records in the real journal and LMDB. */
const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const opened = await openStore({ dataDir: directory });
if (!opened.ok) throw new Error(opened.fault);
const openedBooks = await openLedger(opened.value, { billingUrl: "", onFailure: console.error });
if (!openedBooks.ok) throw new Error(openedBooks.refusal.message);
const books = openedBooks.value;
const { ledger } = books;
const orgId = "org_bench";
await ledger.topUp({
  orgId,
  amount: microUsd(10n ** 12n),
  type: "top_up",
  idempotencyKey: "bench",
});
let requests = 0;
const estimate = microUsd(20_000n);
const charge = {
  cost: microUsd(31n),
  catalogVersion: "bench",
  usage: { input: 10, output: 20 },
};
const pairsPerFlush = 200;
const flushes = 500;

/** One pair, as a request makes it. */
function holdAndDebit(): void {
  const held = ledger.hold({
    requestId: `request-${++requests}`,
    orgId,
    estimate,
    isLive: () => true,
  });
  if (!held.ok) throw new Error(held.refusal.message);
  ledger.settle(held.value, charge, []);
}

// The loop's own accounting: what appending costs and what handing a batch to the thread costs.
const begun = performance.eventLoopUtilization();
for (let i = 0; i < flushes; i += 1) {
  for (let pair = 0; pair < pairsPerFlush; pair += 1) holdAndDebit();
  await books.journal.flushedAll(10_000);
}
const { active } = performance.eventLoopUtilization(begun);
const microsPerPair = (active * 1000) / (pairsPerFlush * flushes);
console.log(`hold + debit with their events: ${microsPerPair.toFixed(2)} µs of the loop`);
await books.close();
await opened.value.close();
rmSync(directory, { recursive: true });
