import { microUsd } from "../src/contract/money.ts";
import { firstRunShown, provisionFirstRun } from "../src/store/embedded/first-run.ts";
import { applyBatch } from "../src/store/journal/batch.ts";
import { keyRecord, newSecret, putKey } from "../src/store/embedded/keys/key-record.ts";
import { openingBalance } from "../src/store/ledger/opening-balance.ts";
import { organizationRecord, takeName } from "../src/store/embedded/organizations.ts";
import { openStore } from "../src/store/embedded/store.ts";

const keysPerOrganization = 10;
const organizationsPerWrite = 1_000;

export interface Filling {
  readonly keys: number;
  /** The secret of its operator; absent: nobody knows it. */
  readonly operatorKey?: string;
  /** Requests a minute of each key; absent: no limit. */
  readonly rateLimit?: number;
}

/** Makes a store with this many keys, ten for each organization; returns their secrets. */
export async function fillStore(
  dataDir: string,
  { keys, operatorKey, rateLimit }: Filling,
): Promise<readonly string[]> {
  const opened = await openStore({ dataDir });
  if (!opened.ok) throw new Error(opened.fault);
  const store = opened.value;
  const { tables } = store;
  await provisionFirstRun(store, { operatorKey: operatorKey ?? null });
  await firstRunShown(store);
  const secrets: string[] = [];
  const wallMs = Date.now();
  const makeOrganization = (name: string): void => {
    const record = organizationRecord({ name, plan: "paid" }, wallMs);
    const { id: orgId } = record.organization;
    tables.organizations.putSync(orgId, record);
    takeName(tables, name, orgId);
    const batch = (store.journal.meta.get("journalBatch") ?? 0) + 1;
    const opening = openingBalance(orgId, microUsd(1_000_000_000n), wallMs);
    applyBatch(store.journal, { ...opening, number: batch });
    for (let i = 0; i < keysPerOrganization; i += 1) {
      const secret = newSecret();
      secrets.push(secret);
      const draft = { orgId, role: "member", name: `k${i}`, rateLimit: rateLimit ?? null } as const;
      putKey(tables, keyRecord(draft, secret, null, wallMs));
    }
  };
  const organizations = keys / keysPerOrganization;
  for (let made = 0; made < organizations; made += organizationsPerWrite) {
    await store.write<null>(() => {
      const end = Math.min(organizations, made + organizationsPerWrite);
      for (let i = made; i < end; i += 1) makeOrganization(`organization ${i}`);
      return { ok: true, value: null };
    });
  }
  await store.close();
  return secrets;
}
