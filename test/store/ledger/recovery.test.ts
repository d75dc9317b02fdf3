import { expect, test } from "vitest";
import type { Debt } from "../../../src/store/journal/batch.ts";
import { Recovery } from "../../../src/store/ledger/recovery.ts";

const debt: Debt = { requestId: "r", cost: "5", catalogVersion: null, usage: null };

test("a run that fails is told of, keeps nobody else waiting and leaves its debts owed", async () => {
  const failures: unknown[] = [];
  const debited: string[] = [];
  let isBroken = true;
  const recovery = new Recovery(
    { flushedAll: () => Promise.resolve(true) },
    { debtors: () => ["a", "b"], debts: () => [debt] },
    (orgId) => {
      if (isBroken && orgId === "a") throw new Error("a read that failed");
      debited.push(orgId);
      return true;
    },
    (error) => failures.push(error),
  );
  await recovery.recover();
  expect([failures.length, debited]).toEqual([1, ["b"]]);
  isBroken = false;
  await recovery.recover();
  expect([failures.length, debited]).toEqual([1, ["b", "a"]]);
});

test("a run whose flush fails ends none behind it", async () => {
  const failures: unknown[] = [];
  const debited: string[] = [];
  let isBroken = true;
  const recovery = new Recovery(
    {
      flushedAll: () =>
        isBroken ? Promise.reject(new Error("a flush that failed")) : Promise.resolve(true),
    },
    { debtors: () => ["a"], debts: () => [debt] },
    (orgId) => debited.push(orgId) > 0,
    (error) => failures.push(error),
  );
  await recovery.recover();
  isBroken = false;
  await recovery.recover();
  expect([failures.length, debited]).toEqual([1, ["a"]]);
});

test("nothing is debited while what was appended is not known to be stored", async () => {
  let isStored = false;
  const debited: string[] = [];
  const recovery = new Recovery(
    { flushedAll: () => Promise.resolve(isStored) },
    { debtors: () => ["a"], debts: () => [debt] },
    (orgId) => debited.push(orgId) > 0,
    () => undefined,
  );
  await recovery.recover();
  expect(debited).toEqual([]);
  isStored = true;
  await recovery.recover();
  expect(debited).toEqual(["a"]);
});

test("who owes twice and can pay once owes on", async () => {
  const owed = [debt, { ...debt, requestId: "s" }];
  let balance = 5;
  const recovery = new Recovery(
    { flushedAll: () => Promise.resolve(true) },
    { debtors: () => [], debts: () => owed },
    (_, { requestId, cost }) => {
      if (Number(cost) > balance) return false;
      balance -= Number(cost);
      owed.splice(
        owed.findIndex((each) => each.requestId === requestId),
        1,
      );
      return true;
    },
    () => undefined,
  );
  recovery.owes("a");
  recovery.owes("a");
  await recovery.recover();
  expect([owed.length, balance]).toEqual([1, 0]);
  balance = 5;
  await recovery.recover();
  expect([owed.length, balance]).toEqual([0, 0]);
});

test("behind a stop nothing is debited any more", async () => {
  const { promise: flushed, resolve } = Promise.withResolvers<boolean>();
  const recovery = new Recovery(
    { flushedAll: () => flushed },
    { debtors: () => ["a"], debts: () => [debt] },
    () => {
      throw new Error("debited");
    },
    (error) => {
      throw error;
    },
  );
  const run = recovery.recover();
  recovery.stop();
  resolve(true);
  await run;
});
