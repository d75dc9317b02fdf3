import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { refuse } from "../../../contract/errors.ts";
import type { ApiKey } from "../../../contract/identity.ts";
import {
  sessionIdleMs,
  sessionMsMax,
  sessionSeenWriteMs,
  sessionsMax,
} from "../../../contract/limits.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { systemClock, type Clock } from "../../../runtime/clock.ts";
import { sortableId } from "../../../runtime/sortable-id.ts";
import type { Keys } from "../keys/keys.ts";
import type { Store } from "../store.ts";
import type { Author, RowChange } from "../store-draft.ts";

/** A session as it stands in LMDB. Of its two secrets the store has only the SHA-256, in lower-case hex. */
export interface SessionRecord {
  readonly v: 1;
  /** Public: it stands in audit events. */
  readonly id: string;
  readonly keyId: string;
  readonly orgId: string | null;
  /** Of the key's secret that was shown at sign-in. The session ends when that secret does. */
  readonly keySha256: string;
  readonly tokenSha256: string;
  readonly openedAtMs: number;
  /** When the session was last used, at most `sessionSeenWriteMs` late. */
  readonly seenAtMs: number;
}

/** What a browser gets. Neither secret works without the other. */
export interface SessionSecrets {
  /** For the cookie, 256 random bits in hex. Another port of the same host may read it. */
  readonly cookie: string;
  /** For the page's own storage, 256 random bits in hex. It belongs to one port alone. */
  readonly token: string;
}

export interface SessionsOptions {
  readonly clock?: Clock;
  /** Told if last uses can't be written. They are tried again with the next ones. */
  readonly onFailure: (error: unknown) => void;
}

/** An open session and the key that it stands for, as the key is now. */
export interface Session {
  readonly id: string;
  readonly key: ApiKey;
  readonly openedAtMs: number;
  /** It ends then, or earlier if it is idle. */
  readonly endsAtMs: number;
}

const noSession = refuse("invalid_key", "The session has ended; sign in again.");

/**
 * The sessions of the dashboard (design: Sign-in). A session stands for the key that opened it, and ends with
 * that key's secret: at the next request after the key was revoked, or rotated past its grace. All sessions are
 * in memory; the store has them too, so that a restart ends none. One thread uses them.
 */
export class Sessions {
  readonly #store: Store;
  readonly #keys: Pick<Keys, "findBySecretSha256">;
  readonly #clock: Clock;
  /** By the SHA-256 of the cookie, the longest idle first. */
  readonly #open = new Map<string, SessionRecord>();
  /** Sessions whose last use the store does not know. */
  readonly #unwritten = new Set<string>();
  readonly #writes: NodeJS.Timeout;

  /** Throws if the store can't be read. */
  constructor(
    store: Store,
    keys: Pick<Keys, "findBySecretSha256">,
    { clock = systemClock, onFailure }: SessionsOptions,
  ) {
    this.#store = store;
    this.#keys = keys;
    this.#clock = clock;
    const stored = Array.from(store.tables.sessions.getRange());
    for (const { key, value } of stored.sort((a, b) => a.value.seenAtMs - b.value.seenAtMs)) {
      this.#open.set(key, value);
    }
    this.#writes = setInterval(() => {
      this.writeUses().catch(onFailure);
    }, sessionSeenWriteMs).unref();
  }

  /** Sessions that have not ended, and those that ended since the last write. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a session for a key. `secret` is the key's. Durable when resolved, with its audit event. Errors:
   * `internal_error` if the disk is full.
   */
  async open(
    key: ApiKey,
    secret: string,
    requestId: string,
  ): Promise<Outcome<Session & SessionSecrets>> {
    const [cookie, token] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    const nowMs = this.#clock.wallMs();
    const record: SessionRecord = {
      v: 1,
      id: sortableId("session", nowMs),
      keyId: key.id,
      orgId: key.orgId,
      keySha256: hash("sha256", secret, "hex"),
      tokenSha256: hash("sha256", token, "hex"),
      openedAtMs: nowMs,
      seenAtMs: nowMs,
    };
    const place = hash("sha256", cookie, "hex");
    const [oldest] = this.#open.keys();
    const removed = this.#open.size >= sessionsMax ? oldest : undefined;
    const author: Author = { requestId, keyId: key.id };
    const written = await this.#store.change(
      author,
      (draft) => {
        if (removed !== undefined) draft.tables.sessions.removeSync(removed);
        draft.tables.sessions.putSync(place, record);
        draft.note("session.opened", record.id, key.orgId, nowMs);
        return accept(null);
      },
      () => {
        if (removed !== undefined) this.#forget(removed);
        this.#open.set(place, record);
      },
    );
    return written.ok ? accept({ ...sessionOf(record, key), cookie, token }) : written;
  }

  /**
   * The session of these secrets, which counts as used. Errors: `invalid_key` if there is none, or it has
   * ended; `auth_unavailable` as `Keys.findBySecret`.
   */
  find(secrets: SessionSecrets): Outcome<Session> {
    const found = this.#find(secrets);
    if (!found.ok) return found;
    const { place, record, session } = found.value;
    // Again at the end: the order is that of the last use.
    this.#open.delete(place);
    const seenAtMs = Math.max(this.#clock.wallMs(), record.seenAtMs);
    this.#open.set(place, { ...record, seenAtMs });
    this.#unwritten.add(place);
    return accept(session);
  }

  /** The same, but it does not count as a use: a page that only watches must not keep its session open. */
  look(secrets: SessionSecrets): Outcome<Session> {
    const found = this.#find(secrets);
    return found.ok ? accept(found.value.session) : found;
  }

  #find({ cookie, token }: SessionSecrets): Outcome<{
    readonly place: string;
    readonly record: SessionRecord;
    readonly session: Session;
  }> {
    const place = hash("sha256", cookie, "hex");
    const record = this.#open.get(place);
    if (record === undefined || !isSame(record.tokenSha256, hash("sha256", token, "hex"))) {
      return noSession;
    }
    if (hasEnded(record, this.#clock.wallMs())) return noSession;
    const key = this.#keys.findBySecretSha256(record.keySha256);
    if (!key.ok) return key.refusal.code === "invalid_key" ? noSession : key;
    return accept({ place, record, session: sessionOf(record, key.value) });
  }

  /**
   * Ends a session. Durable when resolved, with its audit event. Errors: those of `find`, `internal_error` if
   * the disk is full.
   */
  async close(secrets: SessionSecrets, requestId: string): Promise<Outcome<null>> {
    const found = this.find(secrets);
    if (!found.ok) return found;
    const { id, key } = found.value;
    const place = hash("sha256", secrets.cookie, "hex");
    return this.#store.change(
      { requestId, keyId: key.id },
      (draft) => {
        draft.tables.sessions.removeSync(place);
        draft.note("session.closed", id, key.orgId, this.#clock.wallMs());
        return accept(null);
      },
      () => this.#forget(place),
    );
  }

  /** Writes last uses, and removes what has ended; otherwise this happens every `sessionSeenWriteMs`. */
  async writeUses(): Promise<void> {
    const nowMs = this.#clock.wallMs();
    const ended = Array.from(this.#open)
      .filter(([, record]) => hasEnded(record, nowMs))
      .map(([place]) => place);
    const used = Array.from(this.#unwritten);
    if (ended.length === 0 && used.length === 0) return;
    this.#unwritten.clear();
    for (const place of ended) this.#forget(place);
    const written = await this.#store.change(null, ({ tables: { sessions } }) => {
      for (const place of ended) sessions.removeSync(place);
      for (const place of used) {
        const record = this.#open.get(place);
        if (record !== undefined) sessions.putSync(place, record);
      }
      return accept(null);
    });
    if (written.ok) return;
    for (const place of used) if (this.#open.has(place)) this.#unwritten.add(place);
  }

  /** Another gateway has opened, used or ended sessions. */
  takeIn(rows: readonly RowChange[]): void {
    for (const { table, key, value } of rows) {
      if (table !== "sessions") continue;
      const place = String(key);
      this.#forget(place);
      // The table's records.
      if (value !== undefined) this.#open.set(place, value as SessionRecord);
    }
  }

  /** Writes last uses for the last time. Call it before the store is closed. */
  async stop(): Promise<void> {
    clearInterval(this.#writes);
    await this.writeUses();
  }

  #forget(place: string): void {
    this.#open.delete(place);
    this.#unwritten.delete(place);
  }
}

function sessionOf({ id, openedAtMs }: SessionRecord, key: ApiKey): Session {
  return { id, key, openedAtMs, endsAtMs: openedAtMs + sessionMsMax };
}

/** A clock that was set back makes no session longer than `sessionMsMax` from then on. */
function hasEnded({ openedAtMs, seenAtMs }: SessionRecord, nowMs: number): boolean {
  return nowMs - seenAtMs >= sessionIdleMs || nowMs - openedAtMs >= sessionMsMax;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
