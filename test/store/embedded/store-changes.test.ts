import { expect, it, onTestFinished } from "vitest";
import { storeChangesWaitingMax } from "../../../src/contract/limits.ts";
import { readEvent } from "../../../src/contract/audit.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import { refuse } from "../../../src/contract/errors.ts";
import { openKeys, type Keys } from "../../../src/store/embedded/keys/keys.ts";
import { openLedger } from "../../../src/store/embedded/ledger/open-ledger.ts";
import { openOrganizations } from "../../../src/store/embedded/organizations.ts";
import { openPolicies } from "../../../src/store/embedded/policies.ts";
import { openProviders } from "../../../src/store/embedded/providers.ts";
import type { Store, StoreWriter } from "../../../src/store/embedded/store.ts";
import type { StoreWrite } from "../../../src/store/embedded/store-draft.ts";
import { openUsageLimits } from "../../../src/store/embedded/usage-limits.ts";
import {
  codeOf,
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  valueOf,
} from "../temporary-store.ts";
import { holdWriteLock } from "../write-lock.ts";

/** With its books, whose thread writes. */
async function servedStore(): Promise<Store> {
  const store = await openedStore(temporaryDirectory());
  const books = valueOf(
    await openLedger(store, { billingUrl: () => "", onFailure: onCheckFailed }),
  );
  onTestFinished(async () => {
    await books.close();
    await store.close();
  });
  return store;
}

function keysOf(store: Store): Keys {
  const keys = openKeys(store, { onCheckFailed });
  onTestFinished(() => keys.close());
  return keys;
}

const injection = { action: "flag", sensitivity: "strict" } as const;
const policy = { name: "p", injection, entities: [], customPatterns: [], dryRun: false };
const limit = {
  name: "l",
  limitType: "requests",
  threshold: "10",
  timeWindow: "1 hour",
  apiKeyId: null,
  enabled: true,
} as const;
const provider = { name: "x", type: "openai", baseUrl: "https://x.test", models: ["m"] } as const;

/** Everything that operators and admins change, and what is known of the use of keys. */
const changes: readonly [string, (store: Store) => Promise<() => unknown>][] = [
  [
    "an organization",
    async (store) => {
      const organizations = openOrganizations(store);
      const { id } = valueOf(await organizations.create({ name: "a", plan: "paid" }));
      return () => organizations.update(id, { rateLimit: 5 });
    },
  ],
  [
    "a key",
    async (store) => {
      const { id: orgId } = valueOf(
        await openOrganizations(store).create({ name: "a", plan: "paid" }),
      );
      const keys = keysOf(store);
      const { key } = valueOf(await keys.create(newKey(orgId)));
      return () => keys.rotate(key.id, 0);
    },
  ],
  [
    "uses of keys",
    async (store) => {
      const { id: orgId } = valueOf(
        await openOrganizations(store).create({ name: "a", plan: "paid" }),
      );
      const keys = keysOf(store);
      const { secret } = valueOf(await keys.create(newKey(orgId)));
      valueOf(keys.findBySecret(secret));
      return async () => {
        await keys.writeUses();
        return accept(null);
      };
    },
  ],
  [
    "a policy",
    async (store) => {
      const organizations = openOrganizations(store);
      const { id: orgId } = valueOf(await organizations.create({ name: "a", plan: "paid" }));
      const policies = openPolicies(store, organizations, keysOf(store));
      return () => policies.create({ ...policy, orgId });
    },
  ],
  [
    "a usage limit",
    async (store) => {
      const { id: orgId } = valueOf(
        await openOrganizations(store).create({ name: "a", plan: "paid" }),
      );
      const limits = openUsageLimits(store);
      return () => limits.create({ ...limit, orgId });
    },
  ],
  [
    "a provider",
    (store) => {
      const providers = openProviders(store);
      return Promise.resolve(() => providers.create({ ...provider, models: [...provider.models] }));
    },
  ],
];

function newKey(orgId: string) {
  return { draft: { orgId, role: "member", name: "k" }, expiresAt: null } as const;
}

it.each(changes)(
  "while another thread writes the loop goes on, and %s waits",
  async (_, prepare) => {
    const store = await servedStore();
    const change = await prepare(store);
    const lock = await holdWriteLock(store.databasePath);
    let answered = false;
    const changing = Promise.resolve(change()).then((outcome) => {
      answered = true;
      return outcome as Outcome<unknown>;
    });
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect({ answered, isHeld: lock.isHeld }).toEqual({ answered: false, isHeld: true });
    lock.release();
    valueOf(await changing);
  },
);

it("a change and its event are one write", async () => {
  const store = await servedStore();
  const writes: StoreWrite[] = [];
  const written: StoreWriter = {
    change: (write) => {
      writes.push(write);
      return Promise.resolve(accept(null));
    },
  };
  store.changesGoTo(written);
  const author = { requestId: "r-1", keyId: "key_1" };
  const { id } = valueOf(
    await openOrganizations(store).create({ name: "a", plan: "paid" }, author),
  );
  expect(writes).toHaveLength(1);
  expect(writes[0]?.rows.map(({ table }) => table)).toEqual(["names", "organizations", "meta"]);
  expect(writes[0]?.events.map(readEvent)).toMatchObject([
    {
      event_type: "organization.created",
      org_id: id,
      request_id: "r-1",
      data: { id, request_id: "r-1", by_key_id: "key_1" },
    },
  ]);
});

it("changes come one after the other, and each sees what the one before has written", async () => {
  const store = await servedStore();
  const organizations = openOrganizations(store);
  const drafts = Array.from(
    { length: 50 },
    (_, i) => ({ name: `n${i % 25}`, plan: "paid" }) as const,
  );
  const outcomes = await Promise.all(drafts.map(async (draft) => organizations.create(draft)));
  expect(outcomes.map(codeOf)).toEqual(
    drafts.map((_, i) => (i < 25 ? "accepted" : "duplicate_entry")),
  );
  expect(store.tables.meta.get("organizationsGeneration")).toBe(25);
});

it("a change that refuses or throws writes nothing, and the next one is made", async () => {
  const store = await servedStore();
  const no = refuse("forbidden", "no");
  const change = (end: () => Outcome<null>) =>
    store.change(null, ({ tables }) => {
      tables.meta.putSync("keysGeneration", 7);
      return end();
    });
  const refused = change(() => no);
  const thrown = change(() => {
    throw new Error("in between");
  });
  const made = store.change(null, ({ tables }) => {
    tables.names.putSync(["org", "", "a"], "org_1");
    return accept(tables.names.get(["org", "", "a"]));
  });
  await expect(thrown).rejects.toThrow("in between");
  expect(await refused).toEqual(no);
  expect(valueOf(await made)).toBe("org_1");
  expect(store.tables.meta.get("keysGeneration")).toBeUndefined();
});

it("what the writer did not write is not taken over", async () => {
  const store = await servedStore();
  const organizations = openOrganizations(store);
  const failed = refuse("internal_error", "no room");
  store.changesGoTo({ change: () => Promise.resolve(failed) });
  expect(await organizations.create({ name: "a", plan: "paid" })).toEqual(failed);
  expect([...organizations.retentions()]).toEqual([]);
  expect(store.tables.organizations.getCount()).toBe(0);
});

it("so many may wait, and one more is told to come again", async () => {
  const store = await servedStore();
  const lock = await holdWriteLock(store.databasePath);
  const change = () => store.change(null, () => accept(null));
  const waiting = Array.from({ length: storeChangesWaitingMax }, () => change());
  expect(await change()).toMatchObject({
    refusal: { code: "internal_error", details: { retryable: true }, retryAfterSeconds: 1 },
  });
  lock.release();
  expect(new Set((await Promise.all(waiting)).map(codeOf))).toEqual(new Set(["accepted"]));
});
