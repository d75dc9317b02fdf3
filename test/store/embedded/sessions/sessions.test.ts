import { hash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { refuse } from "../../../../src/contract/errors.ts";
import type { ApiKey } from "../../../../src/contract/identity.ts";
import { sessionIdleMs, sessionMsMax, sessionsMax } from "../../../../src/contract/limits.ts";
import { accept, type Outcome } from "../../../../src/contract/outcome.ts";
import { Sessions, type SessionSecrets } from "../../../../src/store/embedded/sessions/sessions.ts";
import type { Store } from "../../../../src/store/embedded/store.ts";
import { openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

const secret = `sk-gw-${"1".repeat(48)}`;
const key = { id: "key_1", orgId: "org_1", name: "k", role: "admin" } as ApiKey;
const invalid = refuse("invalid_key", "no");

let store: Store;
let nowMs = 0;
/** Secrets of keys that work, by their SHA-256. */
let working: Map<string, ApiKey>;
let sessions: Sessions;

const keys = {
  findBySecretSha256: (sha256: string): Outcome<ApiKey> => {
    const found = working.get(sha256);
    return found === undefined ? invalid : accept(found);
  },
};
const options = {
  clock: { wallMs: () => nowMs, monotonicMs: () => nowMs },
  onFailure: (error: unknown): void => {
    throw error;
  },
};

async function opened(): Promise<SessionSecrets> {
  return valueOf(await sessions.open(key, secret, "req_1"));
}

function code(secrets: SessionSecrets): string {
  const found = sessions.find(secrets);
  return found.ok ? found.value.key.id : found.refusal.code;
}

function eventsOf({ journal }: Store): string {
  const rows = Array.from(journal.events.getRange(), ({ value }) => Buffer.from(value).toString());
  return rows.join("\n");
}

beforeEach(async () => {
  store = await openedStore(temporaryDirectory());
  nowMs = 1_800_000_000_000;
  working = new Map([[hash("sha256", secret, "hex"), key]]);
  sessions = new Sessions(store, keys, options);
  return async () => {
    await sessions.stop();
    await store.close();
  };
});

test("neither secret works without the other", async () => {
  const [one, two] = [await opened(), await opened()];
  expect(code(one)).toBe("key_1");
  expect(code({ cookie: one.cookie, token: two.token })).toBe("invalid_key");
  expect(code({ cookie: two.cookie, token: one.token })).toBe("invalid_key");
  expect(code({ cookie: one.cookie, token: one.cookie })).toBe("invalid_key");
  expect(code({ cookie: "", token: "" })).toBe("invalid_key");
});

test("the store holds neither secret, and the audit log has opening and end", async () => {
  const secrets = await opened();
  const rows = JSON.stringify(Array.from(store.tables.sessions.getRange()));
  expect(rows).toContain("key_1");
  for (const hidden of [secrets.cookie, secrets.token, secret]) expect(rows).not.toContain(hidden);
  valueOf(await sessions.close(secrets, "req_2"));
  expect(code(secrets)).toBe("invalid_key");
  expect(store.tables.sessions.getCount()).toBe(0);
  const events = eventsOf(store);
  expect(events).toContain('"event_type":"session.opened"');
  expect(events).toContain('"event_type":"session.closed"');
  expect(events).toContain('"request_id":"req_2","by_key_id":"key_1"');
  for (const hidden of [secrets.cookie, secrets.token]) expect(events).not.toContain(hidden);
});

test("it ends when it is idle, and after its time however much it is used", async () => {
  const idle = await opened();
  const used = await opened();
  const begunMs = nowMs;
  nowMs += sessionIdleMs - 1;
  expect([code(idle), code(used)]).toEqual(["key_1", "key_1"]);
  nowMs += sessionIdleMs;
  expect(code(idle)).toBe("invalid_key");
  const busy = await opened();
  for (const openedMs = nowMs; nowMs < openedMs + sessionMsMax; nowMs += sessionIdleMs / 2) {
    expect(code(busy)).toBe("key_1");
  }
  expect(nowMs - begunMs).toBeGreaterThan(sessionMsMax);
  expect(code(busy)).toBe("invalid_key");
  await sessions.writeUses();
  expect([sessions.size, store.tables.sessions.getCount()]).toEqual([0, 0]);
});

test("it ends with the secret of its key, and shows the key as it is now", async () => {
  const secrets = await opened();
  working.set(hash("sha256", secret, "hex"), { ...key, role: "member" });
  expect(valueOf(sessions.find(secrets)).key.role).toBe("member");
  working.clear();
  expect(code(secrets)).toBe("invalid_key");
});

test("a restart ends no session, and knows when it was last used", async () => {
  const [quiet, secrets] = [await opened(), await opened()];
  nowMs += sessionIdleMs - 1;
  expect(code(secrets)).toBe("key_1");
  await sessions.writeUses();
  const before = sessions;
  sessions = new Sessions(store, keys, options);
  await before.stop();
  nowMs += sessionIdleMs - 1;
  expect([code(quiet), code(secrets)]).toEqual(["invalid_key", "key_1"]);
});

test("at the bound the one that was idle longest makes room", async () => {
  const first = await opened();
  const second = await opened();
  expect(code(first)).toBe("key_1");
  // As if the others had been opened: their rows are all that counts.
  await store.change(null, ({ tables }) => {
    const [row] = Array.from(store.tables.sessions.getRange());
    if (row === undefined) throw new Error("no session is stored");
    for (let i = 0; i < sessionsMax - 2; i += 1) {
      tables.sessions.putSync(hash("sha256", String(i), "hex"), { ...row.value, seenAtMs: nowMs });
    }
    return accept(null);
  });
  nowMs += 10;
  expect([code(first), code(second)]).toEqual(["key_1", "key_1"]);
  await sessions.writeUses();
  const before = sessions;
  sessions = new Sessions(store, keys, options);
  await before.stop();
  expect(sessions.size).toBe(sessionsMax);
  const last = await opened();
  expect(sessions.size).toBe(sessionsMax);
  expect([code(first), code(second), code(last)]).toEqual(["key_1", "key_1", "key_1"]);
}, 30_000);
