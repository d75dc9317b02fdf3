import { expect, test } from "vitest";
import { microUsd } from "../../../src/contract/money.ts";
import { KnownAllowances } from "../../../src/store/shared/known-allowances.ts";

const nothing = { debits: [], returns: [], usage: [], rateReturns: [] };
const allPaid = { owed: [], refused: [] };
const stored = (orgAmount: bigint, units = 0, capAmount = 0n) => ({
  money: new Map([["org", orgAmount]]),
  rates: new Map([["rate", units]]),
  caps: new Map([["cap", capAmount]]),
});

test("what the store has beyond the answers is late, once", () => {
  const known = new KnownAllowances();
  known.grantedMoney("org", microUsd(100n));
  known.grantedRate("rate", 5);
  known.grantedCap("cap", 7n);
  const later = stored(140n, 8, 7n);
  expect(known.lateMoney(later)).toEqual([{ orgId: "org", amount: 40n }]);
  expect(known.lateLimits(later)).toEqual({ rates: [{ id: "rate", units: 3 }], caps: [] });
  expect(known.lateMoney(later)).toEqual([]);
  expect(known.lateLimits(later)).toEqual({ rates: [], caps: [] });
});

test("what a flush has taken comes again as late if it is granted again without an answer", () => {
  const known = new KnownAllowances();
  known.grantedMoney("org", microUsd(100n));
  known.grantedRate("rate", 5);
  known.grantedCap("cap", 7n);
  const flush = {
    debits: [{ requestId: "r", orgId: "org", paid: microUsd(30n) }],
    returns: [{ orgId: "org", amount: microUsd(20n) }],
    usage: [{ id: "cap", released: 4n }],
    rateReturns: [{ id: "rate", units: 2 }],
  };
  known.took(flush, allPaid);
  expect(known.lateMoney(stored(50n))).toEqual([]);
  expect(known.lateMoney(stored(100n))).toEqual([{ orgId: "org", amount: 50n }]);
  expect(known.lateLimits(stored(0n, 3, 3n))).toEqual({ rates: [], caps: [] });
  expect(known.lateLimits(stored(0n, 5, 7n))).toEqual({
    rates: [{ id: "rate", units: 2 }],
    caps: [{ id: "cap", amount: 4n }],
  });
});

test.each(["owed", "refused"] as const)("a debit that is %s has taken nothing", (what) => {
  const known = new KnownAllowances();
  known.grantedMoney("org", microUsd(100n));
  const debits = [{ requestId: "r", orgId: "org", paid: microUsd(30n) }];
  known.took({ ...nothing, debits }, { ...allPaid, [what]: ["r"] });
  expect(known.lateMoney(stored(100n))).toEqual([]);
});
