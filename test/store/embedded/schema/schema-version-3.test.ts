import { expect, it, onTestFinished } from "vitest";
import type { KeyRecord } from "../../../../src/store/embedded/keys/key-record.ts";
import { openKeys } from "../../../../src/store/embedded/keys/keys.ts";
import { onCheckFailed, openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

it("opens a store of version 2: its keys don't use the response cache until they are told", async () => {
  const dataDir = temporaryDirectory();
  const first = await openedStore(dataDir);
  const before = openKeys(first, { onCheckFailed });
  const draft = { orgId: null, role: "operator", name: "old" } as const;
  const { key, secret } = valueOf(await before.create({ draft, expiresAt: null }));
  before.close();
  const { tables } = first;
  const written = JSON.stringify(tables.keys.get(key.id));
  // As the release before wrote it.
  const old = written.replace(',"responseCache":null', "");
  expect(old).not.toBe(written);
  await tables.keys.put(key.id, JSON.parse(old) as KeyRecord);
  await tables.meta.put("schemaVersion", 2);
  await first.close();

  const store = await openedStore(dataDir);
  onTestFinished(() => store.close());
  expect(store.tables.meta.get("schemaVersion")).toBe(6);
  const keys = openKeys(store, { onCheckFailed });
  onTestFinished(() => keys.close());
  expect(valueOf(keys.findBySecret(secret))).toEqual(key);
  const changed = valueOf(await keys.update(key.id, { responseCache: { ttlSeconds: 60 } }));
  expect(changed.responseCache).toEqual({ ttlSeconds: 60 });
});
