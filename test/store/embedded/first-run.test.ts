import { describe, expect, it } from "vitest";
import {
  firstRunShown,
  provisionFirstRun,
  provisionSharedFirstRun,
} from "../../../src/store/embedded/first-run.ts";
import { openKeys } from "../../../src/store/embedded/keys/keys.ts";
import { openOrganizations } from "../../../src/store/embedded/organizations.ts";
import type { Store } from "../../../src/store/embedded/store.ts";
import { ChildProgram } from "../child-program.ts";
import {
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "../temporary-store.ts";

async function provisioned(store: Store, operatorKey: string | null = null) {
  const firstRun = valueOf(await provisionFirstRun(store, { operatorKey }));
  if (firstRun === null) throw new Error("was provisioned before");
  const { organization, operatorSecret, memberSecret } = firstRun;
  if (operatorSecret === null || memberSecret === null) throw new Error("was tried before");
  return { organization, operatorSecret, memberSecret };
}

function find(store: Store, secret: string) {
  const keys = openKeys(store, { onCheckFailed });
  keys.close();
  return valueOf(keys.findBySecret(secret));
}

it("makes an operator key, the organization demo and a key for it", async () => {
  const store = await temporaryStore();
  const { organization, operatorSecret, memberSecret } = await provisioned(store);
  expect(organization).toMatchObject({ name: "demo", plan: "paid" });
  expect(valueOf(await openOrganizations(store).get(organization.id))).toEqual(organization);
  expect(find(store, operatorSecret)).toMatchObject({ orgId: null, role: "operator" });
  expect(find(store, memberSecret)).toMatchObject({ orgId: organization.id, role: "member" });
});

it("does so once, over restarts too", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const { operatorSecret } = await provisioned(store);
  valueOf(await firstRunShown(store));
  expect(valueOf(await provisionFirstRun(store, { operatorKey: null }))).toBeNull();
  await store.close();
  const again = await openedStore(dataDir);
  const operatorKey = `sk-gw-${"b".repeat(24)}`;
  expect(valueOf(await provisionFirstRun(again, { operatorKey }))).toBeNull();
  expect(find(again, operatorSecret).role).toBe("operator");
  expect(() => find(again, operatorKey)).toThrow("invalid_key");
  await again.close();
});

it("takes the operator key that it is given", async () => {
  const store = await temporaryStore();
  const operatorKey = "sk-gw-AbC0123456789abcdef01234wXyZ";
  expect((await provisioned(store, operatorKey)).operatorSecret).toBe(operatorKey);
  expect(find(store, operatorKey)).toMatchObject({ role: "operator", label: "sk-gw-AbC…wXyZ" });
});

it("leaves nothing of it where it was killed at any write", async () => {
  const dataDir = temporaryDirectory();
  const writes = 11;
  for (let fatal = 0; fatal < writes; fatal++) {
    const child = new ChildProgram("provision", [dataDir, String(fatal)]);
    expect(await child.line()).toBeUndefined();
    expect(await child.ended()).toBe("SIGKILL");
    const store = await openedStore(dataDir);
    const { keys, keysByOrg, organizations, meta } = store.tables;
    expect([keys, keysByOrg, organizations].map((table) => table.getCount())).toEqual([0, 0, 0]);
    expect(meta.get("provisionedAt")).toBeUndefined();
    await store.close();
  }
  const child = new ChildProgram("provision", [dataDir]);
  expect(await child.line()).toBe(`${writes} writes, done`);
  await child.ended();
  const store = await openedStore(dataDir);
  expect(store.tables.keys.getCount()).toBe(2);
  await store.close();
});

describe("keys that were never shown", () => {
  /** What every start makes of one data directory, a start a turn. */
  async function startWith(dataDir: string, operatorKey: string | null, shows = false) {
    const store = await openedStore(dataDir);
    const firstRun = valueOf(await provisionFirstRun(store, { operatorKey }));
    if (shows) valueOf(await firstRunShown(store));
    return { store, firstRun };
  }

  it("are replaced, and work no more", async () => {
    const dataDir = temporaryDirectory();
    const failed = await startWith(dataDir, null);
    await failed.store.close();
    const { store, firstRun } = await startWith(dataDir, null, true);
    expect(firstRun?.organization).toEqual(failed.firstRun?.organization);
    for (const which of ["operatorSecret", "memberSecret"] as const) {
      expect(() => find(store, failed.firstRun?.[which] ?? "")).toThrow("invalid_key");
      expect(find(store, firstRun?.[which] ?? "")).toMatchObject({ status: "active" });
    }
    expect(store.tables.keys.getCount()).toBe(2);
    await store.close();
    const third = await startWith(dataDir, null);
    expect(third.firstRun).toBeNull();
    await third.store.close();
  });

  it("make way for the operator key that is given at last", async () => {
    const dataDir = temporaryDirectory();
    await (await startWith(dataDir, null)).store.close();
    const operatorKey = `sk-gw-${"b".repeat(24)}`;
    const { store, firstRun } = await startWith(dataDir, operatorKey);
    expect(firstRun?.operatorSecret).toBe(operatorKey);
    expect(find(store, operatorKey).role).toBe("operator");
    await store.close();
  });

  it("leave alone an operator key that was given, and a key that got another secret", async () => {
    const dataDir = temporaryDirectory();
    const operatorKey = `sk-gw-${"b".repeat(24)}`;
    const first = await startWith(dataDir, operatorKey);
    await first.store.close();
    const second = await startWith(dataDir, null);
    expect(second.firstRun).toMatchObject({ operatorSecret: null });
    expect(find(second.store, operatorKey).role).toBe("operator");
    const { id } = find(second.store, second.firstRun?.memberSecret ?? "");
    const keys = openKeys(second.store, { onCheckFailed });
    const { secret } = valueOf(await keys.rotate(id, 0));
    keys.close();
    await second.store.close();
    const third = await startWith(dataDir, null);
    expect(third.firstRun).toBeNull();
    expect(find(third.store, secret).id).toBe(id);
    await third.store.close();
  });
});

describe("keys that one of several gateways makes", () => {
  const provisionAt = async (store: Store, own: number, ...others: readonly number[]) => {
    const gateways = { own, live: new Set([own, ...others]) };
    return valueOf(await provisionSharedFirstRun(store, { operatorKey: null }, gateways));
  };

  it("are shown by that one while it lives, and replaced by the next one after that", async () => {
    const store = await temporaryStore();
    expect(await provisionAt(store, 1)).toMatchObject({ organization: { name: "demo" } });
    expect(await provisionAt(store, 2, 1)).toBe("elsewhere");
    const second = await provisionAt(store, 2, 3);
    if (second === null || second === "elsewhere") throw new Error("they were not replaced");
    expect(find(store, second.operatorSecret ?? "").role).toBe("operator");
    // The next one waits for the one that has replaced them.
    expect(await provisionAt(store, 3, 1, 2)).toBe("elsewhere");
    valueOf(await firstRunShown(store));
    expect(await provisionAt(store, 3, 2)).toBeNull();
  });

  it("of a release that did not note who shows them are replaced", async () => {
    const store = await temporaryStore();
    await provisioned(store);
    expect(await provisionAt(store, 2, 1)).toMatchObject({ organization: { name: "demo" } });
    expect(await provisionAt(store, 1, 2)).toBe("elsewhere");
  });
});
