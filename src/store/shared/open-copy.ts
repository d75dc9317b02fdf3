import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Client } from "pg";
import { noteSigner, newSigningKey } from "../audit/signed-note.ts";
import type { AuditKeyRecord } from "../embedded/audit/audit-key.ts";
import { openStore, type Store } from "../embedded/store.ts";
import { accept } from "../../contract/outcome.ts";
import { connectionConfig } from "./connection-config.ts";
import { Lease } from "./lease.ts";
import { pendingMigrations } from "./migrations.ts";
import { isOlderRelease, tooOld } from "./releases.ts";
import { Replication } from "./replication.ts";
import { StoreThread, type StoreNews } from "./store-thread.ts";
import { dirname } from "node:path";

export interface OpenCopyOptions {
  /** Of the PostgreSQL database. */
  readonly url: string;
  /** Of the copy. */
  readonly dataDir: string;
  readonly release: string;
  /** Gateways of one store should have the same. */
  readonly configHash: string;
  readonly news: StoreNews;
}

/** This gateway's copy of the shared store, up to date, and the thread that keeps it so. */
export interface OpenedCopy {
  readonly store: Store;
  readonly thread: StoreThread;
  readonly lease: Lease;
}

/** Joins the gateways that share a store. Throws with a reason that a person can act on; it never names the URL. */
export async function openCopy(options: OpenCopyOptions): Promise<OpenedCopy> {
  const key = await prepared(options);
  const opened = await openStore({ dataDir: options.dataDir, isCopy: true });
  if (!opened.ok) throw new Error(opened.fault);
  const store = opened.value;
  try {
    const known = await keyInCopy(store, key);
    const lease = new Lease();
    const thread = new StoreThread(
      {
        url: options.url,
        databasePath: store.databasePath,
        directory: dirname(store.databasePath),
        halt: store.halt.buffer,
        lease: lease.buffer,
        log: known,
        name: hostname(),
        release: options.release,
        configHash: options.configHash,
      },
      options.news,
    );
    const ready = await thread.ready();
    if (!ready.ok) {
      await thread.close();
      throw new Error(ready.refusal.message);
    }
    return { store, thread, lease };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Checks the database, and returns the log's name and key, which the first gateway makes. */
async function prepared({
  url,
  release,
}: Pick<OpenCopyOptions, "url" | "release">): Promise<AuditKeyRecord> {
  const client = new Client(connectionConfig(url));
  try {
    await client.connect();
    const pending = await pendingMigrations(client);
    if (pending.length > 0) {
      throw new Error("the database is not up to date with this release: run npm run migrate");
    }
    const replication = new Replication(client);
    if (!(await replication.isDurable())) {
      throw new Error(
        "the database server may lose what it has committed: set fsync and full_page_writes to on",
      );
    }
    const { moving, oldestRelease } = await replication.about();
    if (isOlderRelease(release, oldestRelease)) throw new Error(tooOld(release, oldestRelease));
    if (moving !== null) {
      throw new Error(
        `the move of the log ${moving} into the database has not ended, or was broken off: wait for it, or run npm run move-to-postgres again`,
      );
    }
    const proposed = `weir-${randomBytes(8).toString("hex")}`;
    const { name, privateKeyPem } = await replication.logKey(proposed, newSigningKey());
    return { v: 1, name, privateKeyPem };
  } catch (error) {
    throw new Error(`The shared store can't be used: ${messageOf(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A copy belongs to one log. */
async function keyInCopy(store: Store, key: AuditKeyRecord): Promise<AuditKeyRecord> {
  const { auditKeys } = store.tables;
  const known = auditKeys.get("signing");
  if (known !== undefined && known.name !== key.name) {
    throw new Error(
      `The data directory is a copy of the store of the log ${known.name}, and the database has the log ${key.name}: use an empty directory`,
    );
  }
  // Throws if it is no key.
  noteSigner(key.name, key.privateKeyPem);
  const written = await store.write(() => {
    auditKeys.putSync("signing", key);
    const { meta } = store.journal;
    if (meta.get("changeCount") === undefined) meta.putSync("changeCount", 0);
    return accept(null);
  });
  if (!written.ok) throw new Error(written.refusal.message);
  return key;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
