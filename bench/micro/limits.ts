import { microUsd } from "../../src/contract/money.ts";
import { emptyAccount } from "../../src/store/ledger/account-states.ts";
import { SharedAccounts } from "../../src/store/ledger/shared-accounts.ts";
import { SharedRateWindows } from "../../src/store/windows/shared-rate-windows.ts";
import { SharedSlots } from "../../src/store/slots/shared-slots.ts";
import type { UsageCap } from "../../src/store/windows/usage-windows.ts";
import { SharedUsageWindows } from "../../src/store/windows/shared-usage-windows.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { time } from "./timing.ts";

/**
 * Rate and usage limits. Each run uses another organization: with 10,000 of them most of the cost
 * is memory outside the processor's caches. Two windows are the cost of a request whose
 * organization and key both have a rate limit. Two usage limits are measured from the reservation
 * to the settlement.
 */
export const limitSuite: Suite = { id: "limits", group: "Rate and usage limits", open };

const organizations = 10_000;
const some = 100;

function open(): OpenSuite {
  const ids = Array.from({ length: organizations }, (_, i) => i.toString(16).padStart(32, "0"));
  const pairs = ids.map((id) => [`org_${id}`, `key_${id}`] as const);
  const slots = new SharedSlots({ slots: 65_536, bytesPerSlot: 64 });
  const rates = new SharedRateWindows({ slots: 65_536 });
  const usage = new SharedUsageWindows({ slots: 65_536 });
  rates.timeline.start();
  usage.timeline.start();

  const checks = pairs.map(([org, key]) => [
    { id: org, limit: 1_000_000_000 },
    { id: key, limit: 1_000_000_000 },
  ]);
  const caps = pairs.map(([org, key]): readonly UsageCap[] => [
    { id: org, type: "tokens", window: "day", threshold: 2n ** 60n, hard: false },
    { id: key, type: "cost", window: "month", threshold: 2n ** 60n, hard: true },
  ]);
  const full = [
    { id: "org", limit: 10 },
    { id: "key", limit: 10 },
  ];
  const worst = { costMicroUsd: 5_000n, tokens: 9_000n, requests: 1n };
  const actual = { costMicroUsd: 1_200n, tokens: 700n, requests: 1n };
  const reserveAndSettle = (organization: number): void => {
    const decision = usage.reserve(caps[organization] ?? [], worst);
    if (decision.admitted) usage.settle(decision.reservation, actual);
  };
  const accounts = new SharedAccounts();
  const estimate = 5_000n;
  const cost = 1_200n;
  const openingBalance = microUsd(10n ** 15n);
  for (const id of ids) accounts.open(id, { ...emptyAccount(), balance: openingBalance });
  const holdAndSettle = (id: string): void => {
    accounts.change(id, (account) => {
      account.held = microUsd(account.held + estimate);
      account.holds += 1;
    });
    accounts.change(id, (account) => {
      account.held = microUsd(account.held - estimate);
      account.holds -= 1;
      account.balance = microUsd(account.balance - cost);
    });
  };
  let run = 0;
  const next = (among: number): number => (run = (run + 1) % organizations) % among;

  const pieces = [
    time("claim", { label: "Find a slot that this thread knows" }, () =>
      slots.claim(ids[next(organizations)] ?? ""),
    ),
    time("change", { label: "Change a slot of 64 bytes" }, () => slots.changeOf("one", () => true)),
    time("rate/100", { label: "Check and consume two windows, 100 organizations" }, () =>
      rates.consume(checks[next(some)] ?? []),
    ),
    time("rate/10000", { label: "Check and consume two windows, 10,000 organizations" }, () =>
      rates.consume(checks[next(organizations)] ?? []),
    ),
    time("rate/full", { label: "A refusal by a full window" }, () => rates.consume(full)),
    time("usage/100", { label: "Reserve and settle two usage limits, 100 organizations" }, () =>
      reserveAndSettle(next(some)),
    ),
    time(
      "usage/10000",
      { label: "Reserve and settle two usage limits, 10,000 organizations" },
      () => reserveAndSettle(next(organizations)),
    ),
    time("account/100", { label: "Hold and debit on an account, 100 organizations" }, () =>
      holdAndSettle(ids[next(some)] ?? ""),
    ),
    time("account/10000", { label: "Hold and debit on an account, 10,000 organizations" }, () =>
      holdAndSettle(ids[next(organizations)] ?? ""),
    ),
  ];
  return { pieces };
}
