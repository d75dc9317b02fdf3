import { expect, it } from "vitest";
import { provisionFirstRun } from "../../src/store/first-run.ts";
import { openKeys } from "../../src/store/keys.ts";
import { openOrganizations } from "../../src/store/organizations.ts";
import type { Store } from "../../src/store/store.ts";
import { ChildProgram } from "./child-program.ts";
import {
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "./temporary-store.ts";

async function provisioned(store: Store, operatorKey: string | null = null) {
  const firstRun = valueOf(await provisionFirstRun(store, { operatorKey }));
  if (firstRun === null) throw new Error("was provisioned before");
  return firstRun;
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
  const writes = 10;
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
  expect(valueOf(await provisionFirstRun(store, { operatorKey: null }))).toBeNull();
  await store.close();
});
