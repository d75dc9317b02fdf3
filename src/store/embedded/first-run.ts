import type { Organization } from "../../contract/identity.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { microUsd } from "../../contract/money.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import { applyBatch } from "../journal/batch.ts";
import { openingBalance } from "../ledger/opening-balance.ts";
import { keyRecord, newSecret, putKey, rotatedRecord, type KeyRecord } from "./keys/key-record.ts";
import { organizationRecord, takeName } from "./organizations.ts";
import type { Store } from "./store.ts";
import type { DraftTables } from "./store-draft.ts";
import type { UnshownKey, UnshownKeysRecord } from "./tables.ts";

/** design section 2: $10.00. */
export const demoBalance = microUsd(10_000_000n);

export interface FirstRunOptions {
  /** `GATEWAY_OPERATOR_KEY`; null: a key is generated. */
  readonly operatorKey: string | null;
  readonly clock?: Clock;
}

/** The values that the first start prints once. */
export interface FirstRun {
  readonly organization: Organization;
  /** null: an earlier start got it from the operator. */
  readonly operatorSecret: string | null;
  /** null: the key has got another secret since. */
  readonly memberSecret: string | null;
}

/**
 * Makes an operator key, the organization `demo` with $10.00 and a key for it, if this was never done
 * (design section 2). One transaction: a crash leaves all of it or nothing. If the keys were made but
 * never shown, because that start failed, they get new secrets. Durable before the secrets are
 * returned; null if they were shown before. Call it before the store's keys and organizations are
 * opened; opened ones see the change at their second check. Errors: `internal_error` if the disk is
 * full.
 */
export function provisionFirstRun(
  store: Store,
  { operatorKey, clock = systemClock }: FirstRunOptions,
): Promise<Outcome<FirstRun | null>> {
  const { tables } = store;
  return store.write<FirstRun | null>(() => {
    const wallMs = clock.wallMs();
    if (!tables.meta.doesExist("provisionedAt")) {
      const firstRun = provision(tables, operatorKey, wallMs);
      applyBatch(store.journal, openingBalance(firstRun.organization.id, demoBalance, wallMs));
      return accept(firstRun);
    }
    return accept(repeatIfUnshown(tables, operatorKey, wallMs));
  });
}

/** The gateways that share a store, by their ids. */
export interface Gateways {
  readonly own: number;
  readonly live: ReadonlySet<number>;
}

/**
 * The same in a store that several gateways share, without the balance. "elsewhere": another one has made the keys and is
 * still to show them. Ask again until it has, or lives no more.
 */
export function provisionSharedFirstRun(
  store: Store,
  { operatorKey, clock = systemClock }: FirstRunOptions,
  { own, live }: Gateways,
): Promise<Outcome<FirstRun | "elsewhere" | null>> {
  return store.change<FirstRun | "elsewhere" | null>(null, ({ tables }) => {
    const wallMs = clock.wallMs();
    if (!tables.meta.doesExist("provisionedAt")) {
      return accept(provision(tables, operatorKey, wallMs, { by: own }));
    }
    const by = tables.unshownKeys.get("first")?.by ?? own;
    if (by !== own && live.has(by)) return accept("elsewhere");
    return accept(repeatIfUnshown(tables, operatorKey, wallMs, { by: own }));
  });
}

/** Call it when the keys have been shown. Durable when resolved. Errors: as above. */
export function firstRunShown(store: Store): Promise<Outcome<null>> {
  return store.change(null, ({ tables }) => {
    tables.unshownKeys.removeSync("first");
    return accept(null);
  });
}

type ShownBy = Pick<UnshownKeysRecord, "by">;

function provision(
  tables: DraftTables,
  operatorKey: string | null,
  wallMs: number,
  shownBy: ShownBy = {},
): FirstRun {
  const operatorSecret = operatorKey ?? newSecret();
  const memberSecret = newSecret();
  const demo = organizationRecord({ name: "demo", plan: "paid" }, wallMs);
  const { organization } = demo;
  const operator = keyRecord(
    { orgId: null, role: "operator", name: "operator" },
    operatorSecret,
    null,
    wallMs,
  );
  const member = keyRecord(
    { orgId: organization.id, role: "member", name: "demo" },
    memberSecret,
    null,
    wallMs,
  );
  tables.organizations.putSync(organization.id, demo);
  takeName(tables, organization.name, organization.id);
  tables.meta.putSync("organizationsGeneration", 1);
  putKey(tables, operator);
  putKey(tables, member);
  tables.unshownKeys.putSync("first", {
    v: 1,
    orgId: organization.id,
    operator: operatorKey === null ? unshownKey(operator) : null,
    member: unshownKey(member),
    ...shownBy,
  });
  tables.meta.putSync("provisionedAt", wallMs);
  return { organization, operatorSecret, memberSecret };
}

function repeatIfUnshown(
  tables: DraftTables,
  operatorKey: string | null,
  wallMs: number,
  shownBy: ShownBy = {},
): FirstRun | null {
  const unshown = tables.unshownKeys.get("first");
  if (unshown === undefined) return null;
  return repeat(tables, { ...unshown, ...shownBy }, operatorKey, wallMs);
}

/** New secrets for the keys of a first start that did not show them. */
function repeat(
  tables: DraftTables,
  unshown: UnshownKeysRecord,
  operatorKey: string | null,
  wallMs: number,
): FirstRun | null {
  const organization = tables.organizations.get(unshown.orgId)?.organization;
  if (organization === undefined) throw new Error("the first organization is gone");
  const operator = replaced(tables, unshown.operator, operatorKey ?? newSecret(), wallMs);
  const member = replaced(tables, unshown.member, newSecret(), wallMs);
  if (operator === null && member === null) return null;
  tables.unshownKeys.putSync("first", {
    ...unshown,
    operator: operator === null || operatorKey !== null ? null : unshownKey(operator.record),
    member: member === null ? unshown.member : unshownKey(member.record),
  });
  return {
    organization,
    operatorSecret: operator?.secret ?? null,
    memberSecret: member?.secret ?? null,
  };
}

interface ReplacedSecret {
  readonly record: KeyRecord;
  readonly secret: string;
}

/** null: there is nothing to replace. */
function replaced(
  tables: DraftTables,
  unshown: UnshownKey | null,
  secret: string,
  wallMs: number,
): ReplacedSecret | null {
  const before = unshown === null ? undefined : tables.keys.get(unshown.id);
  if (before?.secretSha256 !== unshown?.secretSha256 || before?.key.status !== "active")
    return null;
  const record = rotatedRecord(before, secret, wallMs, wallMs);
  putKey(tables, record);
  return { record, secret };
}

function unshownKey({ key, secretSha256 }: KeyRecord): UnshownKey {
  return { id: key.id, secretSha256 };
}
