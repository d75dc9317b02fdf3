import { hash } from "node:crypto";
import { join } from "node:path";
import { open, type Database } from "lmdb";
import { expect, it, onTestFinished } from "vitest";
import { openKeys } from "../../../../src/store/embedded/keys/keys.ts";
import { openOrganizations } from "../../../../src/store/embedded/organizations.ts";
import {
  codeOf,
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  valueOf,
} from "../../temporary-store.ts";

const secret = `sk-gw-${"a1".repeat(24)}`;
const createdAt = "2026-01-01T00:00:00.000Z";

const oldKey = {
  id: "key_1",
  orgId: "org_1",
  name: "laptop",
  label: "sk-gw-a1a…a1a1",
  role: "member",
  status: "active",
  createdAt,
  expiresAt: null,
};

/** A store as the first release wrote it: the bytes of version 1, by LMDB alone. */
async function writeVersion1(dataDir: string): Promise<void> {
  const root = open({ path: join(dataDir, "weir.mdb"), noSubdir: true, maxDbs: 64 });
  const table = (name: string): Database<unknown, string | string[]> =>
    root.openDB({ name, encoding: "json" });
  await root.transaction(() => {
    table("meta").putSync("schemaVersion", 1);
    table("meta").putSync("keysGeneration", 1);
    table("meta").putSync("provisionedAt", 1);
    const secretSha256 = hash("sha256", secret, "hex");
    table("keys").putSync("key_1", { v: 1, key: oldKey, secretSha256 });
    table("keysByOrg").putSync(["org_1", "key_1"], true);
    for (const [id, name] of [
      ["org_1", "demo"],
      ["org_2", "twin"],
      ["org_3", "twin"],
    ] as const) {
      const organization = { id, name, plan: "paid", createdAt };
      table("organizations").putSync(id, { v: 1, organization });
    }
  });
  await root.flushed;
  await root.close();
}

it("opens a store of version 1: its keys work, with attributes that change nothing", async () => {
  const dataDir = temporaryDirectory();
  await writeVersion1(dataDir);
  const store = await openedStore(dataDir);
  onTestFinished(() => store.close());
  expect(store.tables.meta.get("schemaVersion")).toBe(6);
  const keys = openKeys(store, { onCheckFailed });
  onTestFinished(() => keys.close());
  expect(valueOf(keys.findBySecret(secret))).toEqual({
    ...oldKey,
    rateLimit: null,
    allowedModels: null,
    securityPolicyId: null,
    team: null,
    responseCache: null,
    updatedAt: createdAt,
    lastUsedAt: null,
  });
  expect(valueOf(await keys.list({ orgId: "org_1", limit: 9, cursor: null })).keys).toHaveLength(1);
  expect(valueOf(await keys.rotate("key_1", 0)).secret).not.toBe(secret);

  const organizations = openOrganizations(store);
  expect(organizations.find("org_1")).toEqual({
    id: "org_1",
    name: "demo",
    plan: "paid",
    rateLimit: null,
    budget: null,
    retentionDays: null,
    payg: "enabled",
    securityPolicyId: null,
    createdAt,
    updatedAt: createdAt,
  });
  expect(["org_2", "org_3"].map((id) => organizations.find(id)?.name)).toEqual([
    "twin",
    "twin (2)",
  ]);
  expect(codeOf(await organizations.create({ name: "demo", plan: "free" }))).toBe(
    "duplicate_entry",
  );
});

it("opens it a second time as it is", async () => {
  const dataDir = temporaryDirectory();
  await writeVersion1(dataDir);
  await (await openedStore(dataDir)).close();
  const store = await openedStore(dataDir);
  onTestFinished(() => store.close());
  expect(store.tables.keys.get("key_1")).toMatchObject({ v: 2, previous: null });
  expect(store.tables.organizations.get("org_3")?.organization.name).toBe("twin (2)");
});
