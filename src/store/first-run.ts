import type { Organization } from "../contract/identity.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { microUsd } from "../contract/money.ts";
import { systemClock, type Clock } from "./clock.ts";
import { applyBatch } from "./journal/batch.ts";
import { openingBalance } from "./ledger/opening-balance.ts";
import { keyRecord, newSecret, putKey } from "./key-record.ts";
import { organizationRecord, takeName } from "./organizations.ts";
import type { Store } from "./store.ts";

/** design section 2: $10.00. */
const demoBalance = microUsd(10_000_000n);

export interface FirstRunOptions {
  /** `GATEWAY_OPERATOR_KEY`; null: one is made. */
  readonly operatorKey: string | null;
  readonly clock?: Clock;
}

/** What the first start prints, once. */
export interface FirstRun {
  readonly organization: Organization;
  readonly operatorSecret: string;
  readonly memberSecret: string;
}

/**
 * Makes an operator key, the organization `demo` with $10.00 and a key for it, where this never was done
 * (design section 2). One transaction: a crash leaves all or nothing of it. Durable before the
 * secrets are returned; null where the store was provisioned before. To be called before the store's
 * keys and organizations are opened; those that are open see it at their next check.
 * Errors: `internal_error` where the disk is full.
 */
export function provisionFirstRun(
  store: Store,
  { operatorKey, clock = systemClock }: FirstRunOptions,
): Promise<Outcome<FirstRun | null>> {
  const { tables } = store;
  return store.write<FirstRun | null>(() => {
    if (tables.meta.doesExist("provisionedAt")) return accept(null);
    const wallMs = clock.wallMs();
    const operatorSecret = operatorKey ?? newSecret();
    const memberSecret = newSecret();
    const demo = organizationRecord({ name: "demo", plan: "paid" }, wallMs);
    const { organization } = demo;
    const operator = { orgId: null, role: "operator", name: "operator" } as const;
    const member = { orgId: organization.id, role: "member", name: "demo" } as const;
    tables.organizations.putSync(organization.id, demo);
    takeName(tables, organization.name, organization.id);
    tables.meta.putSync("organizationsGeneration", 1);
    putKey(tables, keyRecord(operator, operatorSecret, null, wallMs));
    putKey(tables, keyRecord(member, memberSecret, null, wallMs));
    applyBatch(store.journal, openingBalance(organization.id, demoBalance, wallMs));
    tables.meta.putSync("provisionedAt", wallMs);
    return accept({ organization, operatorSecret, memberSecret });
  });
}
