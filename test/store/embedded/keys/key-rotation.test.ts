import { expect, it, onTestFinished } from "vitest";
import { keyUsesPerWrite, keyUsesWriteMs } from "../../../../src/contract/limits.ts";
import { openKeys, type Keys, type NewKey } from "../../../../src/store/embedded/keys/keys.ts";
import type { Store } from "../../../../src/store/embedded/store.ts";
import {
  codeOf,
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "../../temporary-store.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");

function openedAt(store: Store) {
  const time = { wallMs: startMs };
  const clock = { wallMs: () => time.wallMs, monotonicMs: () => 0 };
  const keys = openKeys(store, { onCheckFailed, clock });
  onTestFinished(() => keys.close());
  return { keys, time };
}

const operator: NewKey = {
  draft: { orgId: null, role: "operator", name: "o" },
  expiresAt: null,
};

function works(keys: Keys, secret: string): boolean {
  return codeOf(keys.findBySecret(secret)) === "accepted";
}

it.each([
  [1, 999, true],
  [1, 1000, false],
  [600, 599_999, true],
  [600, 600_000, false],
  [0, 0, false],
])("a grace of %i s: the old secret after %i ms works: %s", async (grace, afterMs, alive) => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const { keys, time } = openedAt(store);
  const { key, secret } = valueOf(await keys.create(operator));
  const rotated = valueOf(await keys.rotate(key.id, grace));
  expect(rotated.previousExpiresAt).toBe(new Date(startMs + grace * 1000).toISOString());
  time.wallMs += afterMs;
  expect(works(keys, secret)).toBe(alive);
  expect(works(keys, rotated.secret)).toBe(true);
  await store.close();

  const again = await openedStore(dataDir);
  onTestFinished(() => again.close());
  const reopened = openedAt(again);
  reopened.time.wallMs += afterMs;
  expect(works(reopened.keys, secret)).toBe(alive);
  expect(works(reopened.keys, rotated.secret)).toBe(true);
});

it("the old secret is the same key, and its grace ends with the key at the latest", async () => {
  const { keys, time } = openedAt(await temporaryStore());
  await keys.create(operator);
  const expiresAt = new Date(startMs + 5000).toISOString();
  const { key, secret } = valueOf(await keys.create({ ...operator, expiresAt }));
  const rotated = valueOf(await keys.rotate(key.id, 60));
  expect(rotated.previousExpiresAt).toBe(expiresAt);
  expect(valueOf(keys.findBySecret(secret))).toEqual(rotated.key);
  time.wallMs += 5000;
  expect([secret, rotated.secret].map((one) => works(keys, one))).toEqual([false, false]);
});

it("an earlier expiry ends the old secret too", async () => {
  const { keys, time } = openedAt(await temporaryStore());
  await keys.create(operator);
  const { key, secret } = valueOf(await keys.create(operator));
  await keys.rotate(key.id, 600);
  await keys.update(key.id, { expiresAt: new Date(startMs + 1000).toISOString() });
  time.wallMs += 999;
  expect(works(keys, secret)).toBe(true);
  time.wallMs += 1;
  expect(works(keys, secret)).toBe(false);
});

it("of many rotations the last secret and the one before it work", async () => {
  const { keys } = openedAt(await temporaryStore());
  const { key, secret } = valueOf(await keys.create(operator));
  const secrets = [secret];
  for (let i = 0; i < 4; i++) secrets.push(valueOf(await keys.rotate(key.id, 600)).secret);
  expect(secrets.map((one) => works(keys, one))).toEqual([false, false, false, true, true]);
});

it("stores neither secret", async () => {
  const store = await temporaryStore();
  const { keys } = openedAt(store);
  const { key, secret } = valueOf(await keys.create(operator));
  const rotated = valueOf(await keys.rotate(key.id, 600));
  const rows = JSON.stringify(Array.from(store.tables.keys.getRange()));
  for (const one of [secret, rotated.secret]) expect(rows).not.toContain(one.slice(9, -4));
});

it("a revoked key can't be changed or rotated", async () => {
  const { keys } = openedAt(await temporaryStore());
  await keys.create(operator);
  const { key, secret } = valueOf(await keys.create(operator));
  valueOf(await keys.revoke(key.id));
  expect(codeOf(await keys.rotate(key.id, 600))).toBe("forbidden");
  expect(codeOf(await keys.update(key.id, { name: "x" }))).toBe("forbidden");
  expect(works(keys, secret)).toBe(false);
  expect(codeOf(await keys.rotate("key_none", 0))).toBe("not_found");
});

it("of two revocations at once one operator key is left", async () => {
  const { keys } = openedAt(await temporaryStore());
  const one = valueOf(await keys.create(operator));
  const two = valueOf(await keys.create(operator));
  const codes = await Promise.all([keys.revoke(one.key.id), keys.revoke(two.key.id)]);
  expect(codes.map(codeOf)).toEqual(["accepted", "forbidden"]);
  expect(works(keys, two.secret)).toBe(true);
});

it("tells when a key was last used: at once from memory, after a restart as it was written", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const { keys, time } = openedAt(store);
  const { key, secret } = valueOf(await keys.create(operator));
  const lastUsedAt = async (from: Keys) => valueOf(await from.get(key.id)).lastUsedAt;
  expect(await lastUsedAt(keys)).toBeNull();
  keys.findBySecret(secret);
  keys.findBySecret(`${secret}x`);
  expect(await lastUsedAt(keys)).toBe("2026-01-01T00:00:00.000Z");
  expect(store.tables.keyUses.getCount()).toBe(0);
  await keys.writeUses();
  time.wallMs += keyUsesWriteMs - 1;
  keys.findBySecret(secret);
  expect(await lastUsedAt(keys)).toBe("2026-01-01T00:00:59.999Z");
  expect(store.tables.keyUses.get(key.id)).toBe(startMs);
  await keys.writeUses();
  expect(store.tables.keyUses.get(key.id)).toBe(startMs + keyUsesWriteMs - 1);
  time.wallMs += 1;
  keys.findBySecret(secret);
  await store.close();

  const again = await openedStore(dataDir);
  onTestFinished(() => again.close());
  expect(await lastUsedAt(openedAt(again).keys)).toBe("2026-01-01T00:00:59.999Z");
});

it("a use changes no key, so that nothing is loaded again", async () => {
  const store = await temporaryStore();
  const { keys } = openedAt(store);
  const { secret } = valueOf(await keys.create(operator));
  const generation = store.tables.meta.get("keysGeneration");
  for (let i = 0; i < 10; i++) keys.findBySecret(secret);
  await keys.writeUses();
  expect(store.tables.meta.get("keysGeneration")).toBe(generation);
  expect(store.tables.keyUses.getCount()).toBe(1);
});

it("writes any number of uses", async () => {
  const store = await temporaryStore();
  const { keys } = openedAt(store);
  const count = keyUsesPerWrite + 1;
  const made = await Promise.all(Array.from({ length: count }, async () => keys.create(operator)));
  for (const one of made) keys.findBySecret(valueOf(one).secret);
  await keys.writeUses();
  expect(store.tables.keyUses.getCount()).toBe(count);
});
