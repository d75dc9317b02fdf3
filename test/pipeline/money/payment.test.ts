import { atOnce } from "../../support/at-once.ts";
import { expect, test } from "vitest";
import { holdLeaseMs } from "../../../src/contract/limits.ts";
import { microUsd, zeroUsd } from "../../../src/contract/money.ts";
import type { Cost } from "../../../src/contract/usage.ts";
import { admitFree, FlushWaits, Payment } from "../../../src/pipeline/money/payment.ts";
import { RequestRecord } from "../../../src/pipeline/record/record.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import { Spending } from "../../../src/store/ledger/spending.ts";
import { Outbox } from "../../../src/threads/outbox.ts";
import { SharedFlags } from "../../../src/threads/shared-flags.ts";
import { ManualClock } from "../../store/manual-clock.ts";

function open() {
  const words = new SharedFlags(1);
  const journal = new Outbox({
    words,
    index: 0,
    threads: 1,
    post: () => undefined,
    takeUses: () => [],
  });
  const accounts = new SharedAccounts();
  accounts.open("org_1", {
    balance: microUsd(1_239_000n),
    held: zeroUsd,
    holds: 0,
    elsewhere: zeroUsd,
    epoch: 0,
  });
  const billingUrl = () => "https://billing.example";
  const clock = new ManualClock();
  const ledger = new Spending({ journal, accounts, clock, billingUrl });
  const services = { ledger, findOrganization: () => undefined, flushWaits: new FlushWaits() };
  return { words, journal, clock, ledger, services };
}

function pay({ services }: ReturnType<typeof open>): Payment {
  const payer = { requestId: "r1", orgId: "org_1", record: new RequestRecord("chat") };
  const payment = atOnce(Payment.open(services, payer, microUsd(1_000n)));
  if (!payment.ok) throw new Error(payment.refusal.message);
  return payment.value;
}

const cost: Cost = {
  costMicroUsd: microUsd(400n),
  status: "calculated",
  buckets: null,
  catalogVersion: null,
  assumedPrice: null,
  serviceTier: null,
};

test("money is held for as long as its request takes, and no longer", () => {
  const at = open();
  const payment = pay(at);
  const holds = () => {
    at.clock.advance(holdLeaseMs + 1);
    at.ledger.expireLeases();
    return at.ledger.balance("org_1")?.holds;
  };
  expect([holds(), holds()]).toEqual([1, 1]);
  payment.close();
  expect([holds(), at.ledger.counts.expired]).toEqual([0, 0]);
});

test("an answer that waits for its debit to be durable counts as work in hand, and then no more", async () => {
  const at = open();
  const headers = pay(at).settleWhole(cost);
  expect(at.services.flushWaits.open).toBe(1);
  at.words.setDurable(0, 1);
  at.journal.woken();
  expect(await headers).toContain("X-Svc-Payg-Debited-Cents");
  expect(at.services.flushWaits.open).toBe(0);
});

test("what costs nothing is refused too while its record would find no room", () => {
  const { words, services } = open();
  const admit = () => admitFree(services, "org_1");
  expect(admit()).toMatchObject({ ok: true, value: { whole: { 1: "123", 3: "123", 5: "0" } } });
  words.journalFull = true;
  expect(admit()).toMatchObject({
    ok: false,
    refusal: { code: "detector_unavailable", retryAfterSeconds: 1 },
  });
  words.journalFull = false;
  expect(admit().ok).toBe(true);
});
