import { expect, test } from "vitest";
import { microUsd, zeroUsd } from "../../src/contract/money.ts";
import { admitFree } from "../../src/pipeline/payment.ts";
import { systemClock } from "../../src/store/clock.ts";
import { SharedAccounts } from "../../src/store/ledger/shared-accounts.ts";
import { Spending } from "../../src/store/ledger/spending.ts";
import { Outbox } from "../../src/threads/outbox.ts";
import { ThreadWords } from "../../src/threads/thread-words.ts";

test("what costs nothing is refused too while its record would find no room", () => {
  const words = new ThreadWords(1);
  const journal = new Outbox({
    words,
    index: 0,
    threads: 1,
    post: () => undefined,
    takeUses: () => [],
  });
  const accounts = new SharedAccounts();
  accounts.open("org_1", { balance: microUsd(1_239_000n), held: zeroUsd, holds: 0 });
  const billingUrl = "https://billing.example";
  const ledger = new Spending({ journal, accounts, clock: systemClock, billingUrl });
  const admit = () => admitFree({ ledger, findOrganization: () => undefined }, "org_1");
  expect(admit()).toMatchObject({ ok: true, value: { 1: "123", 3: "123" } });
  words.journalFull = true;
  expect(admit()).toMatchObject({
    ok: false,
    refusal: { code: "internal_error", retryAfterSeconds: 1 },
  });
  words.journalFull = false;
  expect(admit().ok).toBe(true);
});
