import { expect, test } from "vitest";
import { microUsd } from "../../../../src/contract/money.ts";
import { applyBatch, type JournalOperation } from "../../../../src/store/journal/batch.ts";
import { enter, type Book, type EntryDraft } from "../../../../src/store/ledger/entry.ts";
import { temporaryStore } from "../../temporary-store.ts";

const orgId = "org_1";
const at = "2026-11-01T00:00:00.000Z";

/** As the bookkeeper numbers entries: it believes that each of them will be written. */
function entriesOf(...drafts: readonly [EntryDraft["type"], number, string][]): JournalOperation[] {
  const book: Book = { balance: microUsd(0n), entries: 0 };
  return drafts.map(([type, amount, idempotencyKey]) => {
    const requestId = type === "debit" ? idempotencyKey : null;
    const more = { requestId, catalogVersion: null, usage: null };
    const draft = { type, amount: microUsd(BigInt(amount)), idempotencyKey, ...more };
    return enter(book, orgId, draft, at).operation;
  });
}

async function storeAfter(batches: readonly (readonly JournalOperation[])[]) {
  const { journal: tables } = await temporaryStore();
  tables.ledger.transactionSync(() => {
    for (const [i, operations] of batches.entries()) {
      applyBatch(tables, { number: i + 1, events: [], operations });
    }
  });
  return {
    entries: Array.from(tables.ledger.getRange(), ({ value }) => [
      value.id,
      value.type,
      value.amountUsd,
      value.balanceAfterUsd,
      value.idempotencyKey,
    ]),
    keys: Array.from(tables.ledgerKeys.getRange(), ({ key, value }) => [key[1], value]),
    balance: tables.balances.get(orgId),
    month: tables.ledgerMonths.get([orgId, "2026-11"]),
    debts: Array.from(tables.debts.getRange(), ({ value }) => [value.requestId, value.cost]),
    refused: Array.from(tables.refusedEntries.getRange(), ({ value }) => [
      value.reason,
      value.type,
      value.amount,
      value.idempotencyKey,
    ]),
  };
}

const doubled = entriesOf(
  ["top_up", 1_000_000, "t"],
  ["debit", 300_000, "r"],
  ["debit", 300_000, "r"],
  ["debit", 200_000, "s"],
);

test.each([
  ["in one batch", [doubled]],
  ["in another batch", [doubled.slice(0, 2), doubled.slice(2)]],
  ["in a batch each", doubled.map((operation) => [operation])],
])(
  "a debit that is appended twice is written once, and the numbers go on: %s",
  async (_, batches) => {
    expect(await storeAfter(batches)).toEqual({
      entries: [
        ["1", "top_up", "1.000000", "1.000000", "t"],
        ["2", "debit", "0.300000", "0.700000", "r"],
        ["3", "debit", "0.200000", "0.500000", "s"],
      ],
      keys: [
        ["r", 2],
        ["s", 3],
        ["t", 1],
      ],
      balance: { v: 1, balance: "500000", entries: 3 },
      month: { debits: "500000", topUps: "1000000", corrections: "0", entries: 3 },
      debts: [],
      refused: [["duplicate_key", "debit", "300000", "r"]],
    });
  },
);

test("the key of a top-up is no debit's either, nor the other way round", async () => {
  const { entries, refused } = await storeAfter([
    entriesOf(["top_up", 100, "k"], ["debit", 10, "k"], ["debit", 20, "l"], ["correction", 5, "l"]),
  ]);
  expect(entries.map(([id, type]) => [id, type])).toEqual([
    ["1", "top_up"],
    ["2", "debit"],
  ]);
  expect(refused).toEqual([
    ["duplicate_key", "debit", "10", "k"],
    ["duplicate_key", "correction", "5", "l"],
  ]);
});

test("money of a top-up that is refused can't be spent: what the rest does not cover is owed", async () => {
  const after = await storeAfter([
    entriesOf(["top_up", 100, "t"], ["top_up", 100, "t"], ["debit", 150, "r"]),
    entriesOf(["top_up", 200, ""], ["debit", 60, "s"]).slice(1),
  ]);
  expect(after).toMatchObject({
    balance: { balance: "40", entries: 2 },
    debts: [["r", "150"]],
    refused: [
      ["duplicate_key", "top_up", "100", "t"],
      ["not_covered", "debit", "150", "r"],
    ],
  });
});

test("a correction that takes more than there is is not written", async () => {
  const { balance, refused, debts } = await storeAfter([
    entriesOf(["top_up", 100, "t"], ["top_up", 100, "t"], ["correction", -150, "c"]),
  ]);
  expect([balance, debts]).toEqual([{ v: 1, balance: "100", entries: 1 }, []]);
  expect(refused[1]).toEqual(["not_covered", "correction", "-150", "c"]);
});

const owe = (requestId: string, cost: string, owedAt = at): JournalOperation => {
  const debt = { requestId, owedAt, cost, catalogVersion: null, usage: null };
  return { kind: "owe", orgId, debt };
};

test("what is owed is owed once, and not at all where it is debited already", async () => {
  const [topUp, debit] = entriesOf(["top_up", 100, "t"], ["debit", 10, "r"]);
  const later = "2026-11-02T00:00:00.000Z";
  const { debts, refused } = await storeAfter([
    [topUp, debit, owe("r", "10"), owe("s", "5"), owe("s", "7", later)].filter(
      (operation) => operation !== undefined,
    ),
  ]);
  expect(debts).toEqual([["s", "5"]]);
  expect(refused).toEqual([
    ["duplicate_key", "debt", "10", "r"],
    ["duplicate_key", "debt", "7", "s"],
  ]);
});

test("a debt stays until its debit is written", async () => {
  const unowe: JournalOperation = { kind: "unowe", orgId, requestId: "r" };
  const [topUp, again, debit] = entriesOf(
    ["top_up", 100, "t"],
    ["top_up", 100, "t"],
    ["debit", 150, "r"],
  );
  const recovery = [topUp, owe("r", "150"), again, debit, unowe].filter(
    (operation) => operation !== undefined,
  );
  expect(await storeAfter([recovery])).toMatchObject({
    balance: { balance: "100", entries: 1 },
    debts: [["r", "150"]],
  });
});

test("an account that is opened twice keeps its money", async () => {
  const open: JournalOperation = { kind: "open", orgId };
  const { balance } = await storeAfter([[open, ...entriesOf(["top_up", 100, "t"])], [open]]);
  expect(balance).toEqual({ v: 1, balance: "100", entries: 1 });
});
