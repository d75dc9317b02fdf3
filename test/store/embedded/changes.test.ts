import { expect, test } from "vitest";
import { openKeyFinder } from "../../../src/store/embedded/keys/key-finder.ts";
import { openKeys } from "../../../src/store/embedded/keys/keys.ts";
import { openOrganizations } from "../../../src/store/embedded/organizations.ts";
import { openStoreReader } from "../../../src/store/embedded/store.ts";
import { WriteHalt } from "../../../src/store/embedded/write-halt.ts";
import type { StoreChange } from "../../../src/store/embedded/changes.ts";
import { temporaryStore, valueOf } from "../temporary-store.ts";

const failing = (error: unknown): never => {
  throw error;
};

/** A store, and the copy that another thread would have of it; changes go there when the test says so. */
async function storeAndCopy() {
  const store = await temporaryStore();
  const reader = openStoreReader(store.databasePath, new WriteHalt());
  const keys = openKeys(store, { onCheckFailed: failing });
  const finder = openKeyFinder(reader, failing, () => undefined);
  const sent: StoreChange[] = [];
  const asked: (() => void)[] = [];
  store.changes.sendTo({
    send: (change) => sent.push(change),
    takenIn: () => new Promise((resolve) => asked.push(resolve)),
  });
  /** The other thread takes in what it was sent, and says so. */
  const takeIn = (): void => {
    for (const change of sent.splice(0)) reader.changes.receive(change);
    for (const answer of asked.splice(0)) answer();
  };
  const close = async (): Promise<void> => {
    finder.close();
    keys.close();
    await reader.close();
  };
  return { store, reader, keys, finder, asked, takeIn, close };
}

const draft = {
  name: "k",
  orgId: null,
  role: "operator",
  rateLimit: null,
  allowedModels: null,
  securityPolicyId: null,
  team: null,
  responseCache: null,
} as const;

test("a revocation is answered only once every thread refuses the key", async () => {
  const { keys, finder, asked, takeIn, close } = await storeAndCopy();
  const make = async () => {
    const created = Promise.resolve(keys.create({ draft, expiresAt: null }));
    await expect.poll(() => asked.length).toBe(1);
    takeIn();
    return valueOf(await created);
  };
  await make();
  const { key, secret } = await make();
  expect(finder.findBySecret(secret).ok).toBe(true);

  let isAnswered = false;
  const revoked = Promise.resolve(keys.revoke(key.id)).then((outcome) => {
    isAnswered = true;
    return outcome;
  });
  await expect.poll(() => asked.length).toBe(1);
  // Durable and seen by this thread, but not by the other one.
  expect(keys.findBySecret(secret).ok).toBe(false);
  expect(finder.findBySecret(secret).ok).toBe(true);
  expect(isAnswered).toBe(false);
  takeIn();
  expect(finder.findBySecret(secret).ok).toBe(false);
  expect(valueOf(await revoked).status).toBe("revoked");
  await close();
});

test("two changes at once each wait for their own", async () => {
  const { store, reader, asked, takeIn, close } = await storeAndCopy();
  const organizations = openOrganizations(store);
  const copy = openOrganizations(reader);
  const answered: string[] = [];
  const create = async (name: string): Promise<void> => {
    const { id } = valueOf(await organizations.create({ name, plan: "paid" }));
    expect(copy.find(id)?.name).toBe(name);
    answered.push(name);
  };
  const first = create("first");
  await expect.poll(() => asked.length).toBe(1);
  const answerFirst = asked.splice(0);
  const second = create("second");
  await expect.poll(() => asked.length).toBe(1);
  expect(answered).toEqual([]);
  takeIn();
  await second;
  expect(answered).toEqual(["second"]);
  for (const answer of answerFirst) answer();
  await first;
  await close();
});

test("a thread that reads does not write", async () => {
  const { reader, close } = await storeAndCopy();
  await expect(openOrganizations(reader).create({ name: "n", plan: "paid" })).rejects.toThrow(
    "only reads",
  );
  await close();
});
