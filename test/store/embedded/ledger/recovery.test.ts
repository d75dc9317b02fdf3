import { expect, test } from "vitest";
import {
  recoveryDebtorsPerTurn,
  recoveryDebtsPerSlice,
  recoveryDebtsPerTurn,
} from "../../../../src/contract/limits.ts";
import { microUsd } from "../../../../src/contract/money.ts";
import type { Debt } from "../../../../src/store/journal/batch.ts";
import { Recovery } from "../../../../src/store/embedded/ledger/recovery.ts";

const cents = (amount: number) => microUsd(BigInt(amount));
const debtOf = (requestId: string, cost = 5): Debt => {
  return { requestId, cost: String(cost), catalogVersion: null, usage: null };
};
/** In the order of their ids. */
const many = (count: number, cost = 5): Debt[] =>
  Array.from({ length: count }, (_, i) => debtOf(`r-${String(i).padStart(6, "0")}`, cost));

/** Books with what each organization owes and has, and the longest run of looks within one turn. */
class FakeBooks {
  readonly owed: Map<string, Debt[]>;
  readonly balances: Map<string, number>;
  readonly failures: unknown[] = [];
  readonly debited: string[] = [];
  reads = 0;
  tries = 0;
  asked = 0;
  triesPerTurnMax = 0;
  askedPerTurnMax = 0;
  appliedAll = () => Promise.resolve(true);
  beforeDebit: (orgId: string) => void = () => undefined;
  #turn = { tries: 0, asked: 0 };
  /** Debited, and not flushed: still among the debts that are stored. */
  #unflushed = new Set<string>();

  constructor(owed: Readonly<Record<string, readonly Debt[]>>, balance: number) {
    this.owed = new Map(Object.entries(owed).map(([orgId, debts]) => [orgId, [...debts]]));
    this.balances = new Map(Object.keys(owed).map((orgId) => [orgId, balance]));
  }

  open(): Recovery {
    return new Recovery({
      journal: {
        appliedAll: async () => {
          const isFlushed = await this.appliedAll();
          // What was appended is written in another turn.
          if (this.#unflushed.size > 0) await new Promise(setImmediate);
          if (isFlushed) this.#flush();
          return isFlushed;
        },
      },
      reads: {
        debtors: () => [...this.owed.keys()],
        debts: (orgId, after, limit) => {
          this.reads += 1;
          return (this.owed.get(orgId) ?? [])
            .filter(({ requestId }) => requestId > (after?.requestId ?? ""))
            .slice(0, limit);
        },
      },
      available: (orgId) => {
        this.asked += 1;
        this.#noteTurn();
        this.askedPerTurnMax = Math.max(this.askedPerTurnMax, ++this.#turn.asked);
        return cents(this.balances.get(orgId) ?? 0);
      },
      debit: (orgId, { requestId, cost }) => {
        this.beforeDebit(orgId);
        this.tries += 1;
        this.#noteTurn();
        this.triesPerTurnMax = Math.max(this.triesPerTurnMax, ++this.#turn.tries);
        const balance = this.balances.get(orgId) ?? 0;
        if (Number(cost) > balance) return false;
        if (this.#unflushed.has(`${orgId} ${requestId}`)) throw new Error("debited twice");
        this.balances.set(orgId, balance - Number(cost));
        this.#unflushed.add(`${orgId} ${requestId}`);
        this.debited.push(`${orgId} ${requestId}`);
        return true;
      },
      onFailed: (error) => this.failures.push(error),
    });
  }

  #flush(): void {
    for (const [orgId, debts] of this.owed) {
      const left = debts.filter(({ requestId }) => !this.#unflushed.has(`${orgId} ${requestId}`));
      this.owed.set(orgId, left);
    }
    this.#unflushed.clear();
  }

  /** A turn of the loop is over when what waits for the next one runs. */
  #noteTurn(): void {
    if (this.#turn.tries > 0 || this.#turn.asked > 0) return;
    setImmediate(() => (this.#turn = { tries: 0, asked: 0 }));
  }
}

test("a sweep that fails is told of, keeps nobody else waiting and leaves its debts owed", async () => {
  const books = new FakeBooks({ a: [debtOf("r")], b: [debtOf("r")] }, 5);
  books.beforeDebit = (orgId) => {
    if (orgId === "a") throw new Error("a read that failed");
  };
  const recovery = books.open();
  await recovery.sweep();
  expect([books.failures.length, books.debited]).toEqual([1, ["b r"]]);
  books.beforeDebit = () => undefined;
  await recovery.sweep();
  expect([books.failures.length, books.debited]).toEqual([1, ["b r", "a r"]]);
});

test("a sweep whose flush fails ends none behind it", async () => {
  const books = new FakeBooks({ a: [debtOf("r")] }, 5);
  books.appliedAll = () => Promise.reject(new Error("a flush that failed"));
  const recovery = books.open();
  await recovery.sweep();
  books.appliedAll = () => Promise.resolve(true);
  await recovery.sweep();
  expect([books.failures.length, books.debited]).toEqual([1, ["a r"]]);
});

test("nothing is debited while what was appended is not known to be stored", async () => {
  const books = new FakeBooks({ a: [debtOf("r")] }, 5);
  books.appliedAll = () => Promise.resolve(false);
  const recovery = books.open();
  await recovery.sweep();
  await recovery.recover("a");
  expect(books.debited).toEqual([]);
  books.appliedAll = () => Promise.resolve(true);
  await recovery.sweep();
  expect(books.debited).toEqual(["a r"]);
});

test("a debit that is not flushed keeps its debt from being read again", async () => {
  const books = new FakeBooks({ a: many(3) }, 100);
  let flushes = 0;
  books.appliedAll = () => Promise.resolve(++flushes !== 2);
  const recovery = books.open();
  await recovery.sweep();
  await recovery.sweep();
  expect([books.debited.length, books.failures]).toEqual([3, []]);
});

test("who owes twice and can pay once owes on", async () => {
  const books = new FakeBooks({ a: [] }, 5);
  const recovery = books.open();
  books.owed.set("a", [debtOf("r"), debtOf("s")]);
  recovery.owes("a", cents(5));
  recovery.owes("a", cents(5));
  await recovery.sweep();
  expect(books.debited).toEqual(["a r"]);
  books.balances.set("a", 5);
  await recovery.sweep();
  expect([books.debited, books.owed.get("a")]).toEqual([["a r", "a s"], []]);
});

test("behind a stop nothing is debited any more", async () => {
  const books = new FakeBooks({ a: [debtOf("r")] }, 5);
  const { promise: flushed, resolve } = Promise.withResolvers<boolean>();
  books.appliedAll = () => flushed;
  const recovery = books.open();
  const sweep = recovery.sweep();
  recovery.stop();
  resolve(true);
  await sweep;
  expect(books.debited).toEqual([]);
});

test("a turn tries a few debts, a sweep all of them, the oldest first", async () => {
  const count = 2 * recoveryDebtsPerSlice + 7;
  const books = new FakeBooks({ a: many(count), b: many(3) }, 1_000_000);
  await books.open().sweep();
  expect(books.triesPerTurnMax).toBe(recoveryDebtsPerTurn);
  const ofA = books.debited.filter((debit) => debit.startsWith("a"));
  expect(ofA).toEqual(many(count).map(({ requestId }) => `a ${requestId}`));
  // Nobody waits for the whole of another's debts.
  expect(books.debited.indexOf("b r-000000")).toBe(recoveryDebtsPerSlice);
});

test("a top-up waits for a slice of the debts, and the rest follows", async () => {
  const count = 3 * recoveryDebtsPerSlice;
  const books = new FakeBooks({ a: many(count) }, 1_000_000);
  const recovery = books.open();
  await recovery.recover("a");
  expect(books.debited).toHaveLength(recoveryDebtsPerSlice);
  await expect.poll(() => books.debited.length, { interval: 1 }).toBe(count);
});

test("a top-up that comes while a sweep walks is used once", async () => {
  const count = 2 * recoveryDebtsPerSlice;
  const books = new FakeBooks({ a: many(count, 9) }, 0);
  const recovery = books.open();
  const sweep = recovery.sweep();
  while (books.tries === 0) await new Promise(setImmediate);
  const recovered = recovery.recover("a");
  books.balances.set("a", 9);
  await recovered;
  await sweep;
  expect(books.debited).toHaveLength(1);
  expect(books.failures).toEqual([]);
});

test("debts that can't be covered are read once, not by every sweep", async () => {
  const books = new FakeBooks({ a: [...many(1_000, 9), debtOf("z", 7)] }, 6);
  const recovery = books.open();
  await recovery.sweep();
  const { reads } = books;
  expect(reads).toBeLessThan(1_000 / recoveryDebtsPerTurn + 2);
  for (let sweep = 0; sweep < 5; sweep += 1) await recovery.sweep();
  expect(books.reads).toBe(reads);
  // One that is small enough is found wherever it stands.
  books.balances.set("a", 7);
  await recovery.sweep();
  expect(books.debited).toEqual(["a z"]);
  const known = books.reads;
  books.balances.set("a", 8);
  await recovery.sweep();
  expect(books.reads).toBe(known);
  recovery.owes("a", cents(8));
  books.owed.get("a")?.push(debtOf("zz", 8));
  await recovery.sweep();
  expect(books.debited).toEqual(["a z", "a zz"]);
});

test("a debt of the moment in which the last one is paid is not forgotten", async () => {
  const books = new FakeBooks({ a: [debtOf("r")] }, 5);
  const recovery = books.open();
  let flushes = 0;
  books.appliedAll = () => {
    // Appended while the sweep waits: the flush that it waits for does not have it.
    if (++flushes === 1) recovery.owes("a", cents(5));
    return Promise.resolve(true);
  };
  await recovery.sweep();
  expect(books.debited).toEqual(["a r"]);
  books.owed.set("a", [debtOf("s")]);
  books.balances.set("a", 5);
  await recovery.sweep();
  expect(books.debited).toEqual(["a r", "a s"]);
});

test("a sweep over many who owe little tries a few debts in a turn", async () => {
  const debtors = Array.from({ length: 100 }, (_, i) => `org-${i}`);
  const owed = Object.fromEntries(debtors.map((orgId) => [orgId, many(3, 9)]));
  const books = new FakeBooks(owed, 0);
  await books.open().sweep();
  expect(books.tries).toBe(300);
  expect(books.triesPerTurnMax).toBeLessThanOrEqual(recoveryDebtsPerTurn);
});

test("a sweep over many who can't pay looks at a bounded number in a turn", async () => {
  const debtors = Array.from({ length: 3 * recoveryDebtorsPerTurn }, (_, i) => `org-${i}`);
  const owed = Object.fromEntries(debtors.map((orgId) => [orgId, [debtOf("r", 9)]]));
  const books = new FakeBooks(owed, 0);
  const recovery = books.open();
  await recovery.sweep();
  Object.assign(books, { reads: 0, asked: 0, askedPerTurnMax: 0 });
  await recovery.sweep();
  expect([books.reads, books.asked]).toEqual([0, debtors.length]);
  expect(books.askedPerTurnMax).toBeLessThanOrEqual(recoveryDebtorsPerTurn);
});

test("sweeps that are asked for while one runs are one", async () => {
  const books = new FakeBooks({ a: many(recoveryDebtsPerTurn * 3, 9) }, 0);
  const recovery = books.open();
  const first = recovery.sweep();
  await Promise.resolve();
  const [second, third] = [recovery.sweep(), recovery.sweep()];
  expect(second).toBe(third);
  expect(first).not.toBe(second);
  await third;
});
