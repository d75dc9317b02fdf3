import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import {
  openKeys,
  type KeyPage,
  type Keys,
  type KeysOptions,
  type NewKey,
} from "../../../../src/store/embedded/keys/keys.ts";
import { openOrganizations } from "../../../../src/store/embedded/organizations.ts";
import type { Store } from "../../../../src/store/embedded/store.ts";
import { ChildProgram } from "../../child-program.ts";
import {
  codeOf,
  onCheckFailed,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "../../temporary-store.ts";

function opened(store: Store, options: Partial<KeysOptions> = {}): Keys {
  const keys = openKeys(store, { onCheckFailed, ...options });
  onTestFinished(() => keys.close());
  return keys;
}

const platformKey: NewKey = {
  draft: { orgId: null, role: "operator", name: "operator" },
  expiresAt: null,
};

async function memberKey(store: Store, name = "acme"): Promise<NewKey> {
  const draft = { name, plan: "free" } as const;
  const { id } = valueOf(await openOrganizations(store).create(draft));
  return { draft: { orgId: id, role: "member", name: "laptop" }, expiresAt: null };
}

it("finds a created key by its secret, before and after a restart", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const keys = opened(store);
  const created = valueOf(await keys.create(await memberKey(store)));
  expect(created.secret).toMatch(/^sk-gw-[0-9a-f]{48}$/);
  const [head, tail] = [created.secret.slice(6, 9), created.secret.slice(-4)];
  expect(created.key).toMatchObject({
    name: "laptop",
    role: "member",
    status: "active",
    label: `sk-gw-${head}…${tail}`,
    expiresAt: null,
  });
  expect(valueOf(keys.findBySecret(created.secret))).toEqual(created.key);
  await store.close();

  const again = await openedStore(dataDir);
  expect(valueOf(opened(again).findBySecret(created.secret))).toEqual(created.key);
  expect(valueOf(await opened(again).get(created.key.id))).toEqual(created.key);
  await again.close();
});

it("stores no secret", async () => {
  const store = await temporaryStore();
  const { secret } = valueOf(await opened(store).create(platformKey));
  const rows = JSON.stringify(store.tables.keys.getRange().asArray);
  expect(rows).not.toContain(secret.slice(9, -4));
});

it("takes nothing for a key that is none", async () => {
  const store = await temporaryStore();
  const keys = opened(store);
  const { secret } = valueOf(await keys.create(platformKey));
  const strangers = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string().map((text) => `sk-gw-${text}`),
    fc.nat(secret.length - 1).map((at) => secret.slice(0, at) + "x" + secret.slice(at + 1)),
    fc.nat(secret.length - 1).map((length) => secret.slice(0, length)),
    fc.string({ minLength: 1 }).map((more) => secret + more),
    fc.constantFrom("", secret.toUpperCase(), ` ${secret}`, `sk-gw-${"a".repeat(5000)}`),
  );
  fc.assert(
    fc.property(strangers, (stranger) => {
      expect(codeOf(keys.findBySecret(stranger))).toBe("invalid_key");
    }),
  );
  expect(keys.findBySecret(secret).ok).toBe(true);
});

it("revokes for good, at once and over a restart", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const keys = opened(store);
  const { key, secret } = valueOf(await keys.create(platformKey));
  const other = valueOf(await keys.create(platformKey));
  const revoked = valueOf(await keys.revoke(key.id));
  expect(codeOf(keys.findBySecret(secret))).toBe("invalid_key");
  expect(revoked).toEqual({ ...key, status: "revoked", updatedAt: revoked.updatedAt });
  expect(valueOf(await keys.revoke(key.id))).toEqual(revoked);
  expect(codeOf(await keys.revoke("key_none"))).toBe("not_found");
  expect(valueOf(await keys.get(key.id))).toEqual(revoked);
  expect(keys.findBySecret(other.secret).ok).toBe(true);
  await store.close();

  const again = await openedStore(dataDir);
  expect(codeOf(opened(again).findBySecret(secret))).toBe("invalid_key");
  expect(opened(again).findBySecret(other.secret).ok).toBe(true);
  await again.close();
});

it("forgets a key at the moment that it expires", async () => {
  const store = await temporaryStore();
  let wallMs = Date.parse("2026-01-01T00:00:00Z");
  const keys = opened(store, { clock: { wallMs: () => wallMs, monotonicMs: () => 0 } });
  const expiresAt = "2026-01-01T00:00:01.000Z";
  const { secret } = valueOf(await keys.create({ ...platformKey, expiresAt }));
  wallMs += 999;
  expect(codeOf(keys.findBySecret(secret))).toBe("accepted");
  wallMs += 1;
  expect(codeOf(keys.findBySecret(secret))).toBe("invalid_key");
});

it("makes no key for an organization that there is not", async () => {
  const store = await temporaryStore();
  const keys = opened(store);
  const draft = { orgId: "org_none", role: "member", name: "x" } as const;
  expect(codeOf(await keys.create({ draft, expiresAt: null }))).toBe("not_found");
  expect(store.tables.keys.getCount()).toBe(0);
});

it("lists an organization's keys page by page, oldest first, and no one else's", async () => {
  const store = await temporaryStore();
  let wallMs = 0;
  const keys = opened(store, { clock: { wallMs: () => (wallMs += 1000), monotonicMs: () => 0 } });
  const mine = await memberKey(store);
  const theirs = await memberKey(store, "other");
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    made.push(valueOf(await keys.create(mine)).key.id);
    await keys.create(theirs);
    await keys.create(platformKey);
  }
  await keys.revoke(made[2] ?? "");

  const listed = async (orgId: string | null, limit: number) => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: KeyPage = valueOf(await keys.list({ orgId, limit, cursor }));
      pages.push(page.keys.map((key) => key.id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return pages;
  };
  const [a = "", b = "", c = "", d = "", e = ""] = made;
  expect(await listed(mine.draft.orgId, 2)).toEqual([[a, b], [c, d], [e]]);
  expect(await listed(mine.draft.orgId, 5)).toEqual([made]);
  expect((await listed(null, 100)).flat()).toHaveLength(5);
  expect(await listed("org_none", 100)).toEqual([[]]);
});

it("keeps every acknowledged key when its process is killed", async () => {
  const dataDir = temporaryDirectory();
  const acknowledged: string[] = [];
  for (const count of [1, 25, 60]) {
    const child = new ChildProgram("create-keys", [dataDir]);
    for (let i = 0; i < count; i++) acknowledged.push((await child.line()) ?? "ended early");
    await child.kill();
    for (let line = await child.line(); line !== undefined; line = await child.line()) {
      acknowledged.push(line);
    }
  }
  const store = await openedStore(dataDir);
  const keys = opened(store);
  expect(acknowledged.filter((secret) => !keys.findBySecret(secret).ok)).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(86);
  await store.close();
});
