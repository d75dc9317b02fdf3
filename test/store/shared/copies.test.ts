import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { changesInMemory } from "../../../src/store/embedded/row-changes.ts";
import { openKeys, type Keys } from "../../../src/store/embedded/keys/keys.ts";
import { Journal } from "../../../src/store/journal/journal.ts";
import { openCopy, type OpenedCopy } from "../../../src/store/shared/open-copy.ts";
import {
  openOrganizations,
  type Organizations,
} from "../../../src/store/embedded/organizations.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";

/** One gateway's keys, organizations and journal over the shared store. */
class Gateway {
  readonly copy: OpenedCopy;
  readonly keys: Keys;
  readonly organizations: Organizations;
  readonly journal: Journal;
  readonly fatal: string[];

  private constructor(copy: OpenedCopy, fatal: string[]) {
    this.copy = copy;
    this.fatal = fatal;
    copy.store.changesGoTo(copy.thread);
    this.keys = openKeys(copy.store, { onCheckFailed: () => undefined });
    this.organizations = openOrganizations(copy.store);
    this.journal = new Journal({
      writer: copy.thread,
      lastBatch: 0,
      onFlushFailed: () => undefined,
    });
  }

  static async open(url: string, dataDir: string): Promise<Gateway> {
    const fatal: string[] = [];
    let store: OpenedCopy["store"] | null = null;
    const copy = await openCopy({
      ...{ url, dataDir, release: "1.0.0", configHash: "" },
      news: {
        applied: () => undefined,
        lateGrant: () => undefined,
        lateLimits: () => undefined,
        lost: () => undefined,
        account: () => undefined,
        recall: () => undefined,
        changed: (rows) => {
          for (const change of changesInMemory(rows)) store?.changes.receive(change);
          return Promise.resolve();
        },
        progress: () => undefined,
        trouble: () => undefined,
        fatal: (why) => fatal.push(why),
      },
    });
    store = copy.store;
    return new Gateway(copy, fatal);
  }

  get log(): readonly string[] {
    const { events } = this.copy.store.journal;
    events.resetReadTxn();
    return Array.from(events.getRange(), ({ value }) =>
      Buffer.from(value).toString().split("\n"),
    ).flat();
  }

  async close(): Promise<void> {
    this.keys.close();
    await this.journal.close();
    await this.copy.store.close();
  }
}

describeWithPostgres("copies of a shared store", () => {
  const database = new TestDatabase();
  const open: Gateway[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((gateway) => gateway.close()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    await database.empty();
  });

  async function gateway(folder = mkdtempSync(join(tmpdir(), "weir-copy-"))): Promise<Gateway> {
    if (!folders.includes(folder)) folders.push(folder);
    const opened = await Gateway.open(database.url, folder);
    open.push(opened);
    return opened;
  }

  const author = { requestId: "request", keyId: "key" };

  test("a key made by one works at the other, and once revoked at none", async () => {
    const [one, other] = [await gateway(), await gateway()];
    const made = await one.organizations.create({ name: "acme", plan: "paid" }, author);
    const orgId = made.ok ? made.value.id : "";
    expect(other.organizations.find(orgId)?.name).toBe("acme");
    const draft = { orgId, role: "member", name: "k" } as const;
    const created = await other.keys.create({ draft, expiresAt: null }, author);
    if (!created.ok) throw new Error(created.refusal.message);
    const { secret, key } = created.value;
    expect(one.keys.findBySecret(secret).ok).toBe(true);
    expect((await one.keys.revoke(key.id, author)).ok).toBe(true);
    expect(other.keys.findBySecret(secret).ok).toBe(false);
    await vi.waitFor(() => expect(one.log).toHaveLength(3));
    await vi.waitFor(() => expect(other.log).toEqual(one.log));
  });

  test("both change at once: each change is made on what the other has written", async () => {
    const [one, other] = [await gateway(), await gateway()];
    const made = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { organizations } = i % 2 === 0 ? one : other;
        return organizations.create({ name: `org ${Math.floor(i / 2)}`, plan: "paid" }, author);
      }),
    );
    // Names are unique, and each was asked for at both.
    expect(made.filter((outcome) => outcome.ok)).toHaveLength(10);
    const names = (of: Gateway) =>
      Array.from(of.copy.store.tables.organizations.getRange(), ({ key }) => key);
    await vi.waitFor(() => expect(names(one)).toEqual(names(other)));
    expect(names(one)).toHaveLength(10);
  });

  test("events and operations of all gateways are in every copy, in one order, after a restart too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "weir-copy-"));
    const [one, other] = [await gateway(folder), await gateway()];
    for (let i = 0; i < 30; i += 1) {
      const from = i % 2 === 0 ? one : other;
      const bound = { kind: "bind", orgId: "org", account: "a", ids: [`id${i}`], atMs: i } as const;
      from.journal.append([`{"event":${i},"created_at":"2026-01-01T00:00:00.000Z"}`], [bound]);
      if (i % 5 === 0) await from.journal.flushedAll(null);
    }
    await one.journal.flushedAll(null);
    await other.journal.appliedAll(null);
    await one.journal.appliedAll(null);
    expect(other.log).toHaveLength(30);
    expect(one.log).toEqual(other.log);
    expect(one.copy.store.journal.providerState.get(["org", "id7"])).toEqual({
      account: "a",
      atMs: 7,
    });
    await one.close();
    open.splice(open.indexOf(one), 1);
    other.journal.append([`{"event":30,"created_at":"2026-01-01T00:00:00.000Z"}`]);
    await other.journal.appliedAll(null);
    const again = await gateway(folder);
    expect(again.log).toEqual(other.log);
  });

  test("a gateway ends when the log goes on under another name", async () => {
    const client = await database.connect();
    const { fatal } = await gateway();
    const name = (to: string) => client.query("UPDATE weir.log_key SET name = $1", [to]);
    const { rows } = await client.query<{ name: string }>("SELECT name FROM weir.log_key");
    await name("weir-other");
    await client.query("UPDATE weir.meta SET moving = NULL");
    await vi.waitFor(() => expect(fatal.join()).toContain("goes on under the name weir-other"));
    await name(rows[0]?.name ?? "");
  });

  test("a copy that is ahead of the database does not start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "weir-copy-"));
    const one = await gateway(folder);
    one.journal.append([`{"event":1,"created_at":"2026-01-01T00:00:00.000Z"}`]);
    await one.journal.appliedAll(null);
    await one.close();
    open.splice(open.indexOf(one), 1);
    await database.empty();
    await expect(gateway(folder)).rejects.toThrow(/went back in time|log/);
  });
});
