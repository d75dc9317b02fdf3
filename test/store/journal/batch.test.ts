import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerEntry } from "../../../src/contract/ledger.ts";
import type { MicroUsd } from "../../../src/contract/money.ts";
import { applyBatch, type JournalOperation } from "../../../src/store/journal/batch.ts";
import { MemoryStore } from "../../sim/memory-store.ts";

const orgIds = ["org_1", "org_2"];
const months = ["2026-10", "2026-11"];

/** What happens to the books: nobody holds twice, but an entry may come twice, or be too large. */
const histories = fc
  .array(
    fc.record({
      request: fc.nat(3),
      org: fc.nat(1),
      month: fc.nat(1),
      isEntry: fc.boolean(),
      amount: fc.bigInt(1n, 1_000n),
      number: fc.nat(1),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    const holding = new Set<string>();
    const books = orgIds.map(() => ({ number: 1 }));
    return steps.map(({ request, org, month, isEntry, amount, number }): JournalOperation => {
      const orgId = orgIds[org] ?? "";
      const requestId = `r-${request}`;
      const account = books[org] ?? { number: 1 };
      if (isEntry) {
        // Some keys come again, and are refused.
        account.number += number;
        const type = account.number === 1 ? "top_up" : "debit";
        const entry = { type, createdAt: `${months[month]}-01` } as LedgerEntry;
        const idempotencyKey = `${orgId}-${account.number}`;
        const of = { orgId, amount: amount as MicroUsd };
        const requestId = type === "debit" ? idempotencyKey : null;
        return { kind: "entry", ...of, entry: { ...entry, idempotencyKey, requestId } };
      }
      if (holding.delete(requestId)) return { kind: "unhold", requestId };
      holding.add(requestId);
      return { kind: "hold", requestId, orgId, amount: amount as MicroUsd };
    });
  });

function tablesAfter(batches: readonly (readonly JournalOperation[])[]): unknown {
  const store = new MemoryStore((violation) => {
    // One that ends and begins again within a batch is written over.
    if (!violation.endsWith("holds twice")) expect.unreachable(violation);
  });
  for (const [i, operations] of batches.entries()) {
    store.transaction(() => applyBatch(store.tables, { number: i + 1, events: [], operations }));
  }
  const { holds, balances, ledger, ledgerKeys, ledgerMonths } = store.tables;
  const { debts, debtsByAge, refusedEntries } = store.tables;
  const books = { holds, balances, ledger, ledgerKeys, ledgerMonths };
  const tables = { ...books, debts, debtsByAge, refusedEntries };
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      new Map([...rows.all()].map(({ key, value }) => [JSON.stringify(key), value])),
    ]),
  );
}

test("the books are the same however their changes are put together into batches", () => {
  fc.assert(
    fc.property(histories, fc.array(fc.nat(7), { maxLength: 20 }), (operations, lengths) => {
      const batches: JournalOperation[][] = [];
      let at = 0;
      for (const length of lengths) {
        batches.push(operations.slice(at, at + length));
        at += length;
      }
      batches.push(operations.slice(at));
      expect(tablesAfter(batches)).toEqual(tablesAfter(operations.map((one) => [one])));
    }),
    { numRuns: 500 },
  );
});
