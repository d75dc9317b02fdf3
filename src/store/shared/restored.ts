import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { canonicalEvent, readEvent } from "../../contract/audit.ts";
import { operatorRunsAtOnce } from "../../contract/limits.ts";
import { formatUsd, microUsd } from "../../contract/money.ts";
import { leafHash } from "../audit/merkle.ts";
import { rootOf, type Tiles } from "../audit/merkle-tree.ts";
import { newSigningKey, noteSigner } from "../audit/signed-note.ts";
import { databaseFiles } from "../embedded/files/database-file.ts";
import { pagesOf } from "../embedded/files/pages.ts";
import { openStore, type Store } from "../embedded/store.ts";
import { rootOfTiles } from "./move-log.ts";
import { asOperator, inTransaction, lockOutGateways } from "./operator-connection.ts";
import { SharedFunctions } from "./functions.ts";

export interface RestoredOptions {
  /** Of the database that was set back. */
  readonly url: string;
  /** The data directory of a gateway that knows of more; null: there is none, so nobody can tell what was lost. */
  readonly dataDir: string | null;
  /** Called with each event that was lost, in its order. */
  readonly lost?: (line: string) => void;
}

/** What a gateway's copy has, and the database has not any more. */
export interface Lost {
  readonly events: number;
  readonly byType: ReadonlyMap<string, number>;
  /** US dollars that were debited, and that were added. */
  readonly debitedUsd: string;
  readonly toppedUpUsd: string;
  /** Changes of the configuration. */
  readonly changes: number;
  /** Ids of keys that were revoked or rotated, and whose old secrets work again. */
  readonly keys: readonly string[];
}

export interface Restored {
  readonly oldName: string;
  readonly newName: string;
  /** Events that both logs have. */
  readonly events: number;
  /** What verifies the checkpoints of the old name. */
  readonly oldVerifierKey: string;
  readonly lost: Lost | null;
}

/**
 * Goes on with a database that was set back, such as one restored from a backup: the log gets another name and another key,
 * because checkpoints under the old ones may have told of events that are gone, and no two trees may have one name. The
 * gateways that the database still takes for live are ended. All of it is one transaction. Throws with a reason that a
 * person can act on: if a gateway is connected, or if nothing was lost.
 */
export function acceptRestored(options: RestoredOptions): Promise<Restored> {
  return asOperator(options.url, async (client) => {
    const copy = options.dataDir === null ? null : await openedCopy(options.dataDir);
    try {
      return await inTransaction(client, () => accepted(client, copy, options));
    } finally {
      await copy?.close();
    }
  });
}

async function openedCopy(dataDir: string): Promise<Store> {
  if (!existsSync(join(dataDir, databaseFiles.store))) {
    throw new Error(`There is no gateway's store in ${dataDir}, or this user may not read it.`);
  }
  const opened = await openStore({ dataDir, isCopy: true });
  if (!opened.ok) throw new Error(opened.fault);
  return opened.value;
}

async function accepted(
  client: Client,
  copy: Store | null,
  { lost: tell = () => undefined }: RestoredOptions,
): Promise<Restored> {
  await lockOutGateways(client);
  await expectNoGateways(client);
  const { rows } = await client.query<{ name: string; private_key_pem: string }>(
    "SELECT name, private_key_pem FROM weir.log_key",
  );
  const [old] = rows;
  if (old === undefined)
    throw new Error("The database has no log: no gateway was ever started on it.");
  const functions = new SharedFunctions(client);
  const events = await sequenced(functions);
  const lost = copy === null ? null : await lostOf(client, copy, old.name, events, tell);
  for (const { id, seq } of await functions.liveGateways()) await functions.end(id, seq, "fenced");
  const newName = `weir-${randomBytes(8).toString("hex")}`;
  await client.query({
    text: "UPDATE weir.log_key SET name = $1, private_key_pem = $2",
    values: [newName, newSigningKey()],
  });
  const oldVerifierKey = noteSigner(old.name, old.private_key_pem).verifierKey;
  const root = (await rootOfTiles(client, events)).toString("base64");
  await client.query({
    text: "SELECT weir.append_made($1)",
    values: [[restoredLine({ previous_verifier_key: oldVerifierKey, size: events, root })]],
  });
  return { oldName: old.name, newName, events, oldVerifierKey, lost };
}

/** Events that wait for their places are in the database, and so not lost. Returns how many the log has then. */
async function sequenced(functions: SharedFunctions): Promise<number> {
  for (let before = -1; ;) {
    const size = await functions.sequenceRuns(operatorRunsAtOnce);
    if (size === null) throw new Error("A gateway writes the log: stop all of them.");
    if (size === before) return size;
    before = size;
  }
}

/** `size`, `root`: of the events that the log under the old name and this one have. */
function restoredLine(data: object): string {
  const event = {
    eventType: "log.restored",
    message: "The database was set back; the log goes on from here under another name.",
    orgId: null,
    requestId: null,
    data: { ...data },
  } as const;
  return canonicalEvent(event, new Date().toISOString());
}

async function expectNoGateways(client: Client): Promise<void> {
  const { rows } = await client.query<{ connections: string }>(
    `SELECT count(*) AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'weir'`,
  );
  const connections = Number(rows[0]?.connections);
  if (connections > 0) {
    throw new Error(
      `Gateways are connected to the database (${connections} connections): stop all of them.`,
    );
  }
}

async function lostOf(
  client: Client,
  { journal, tables }: Store,
  name: string,
  size: number,
  tell: (line: string) => void,
): Promise<Lost> {
  const key = tables.auditKeys.get("signing");
  if (key?.name !== name) {
    throw new Error(`The directory is no copy of the database's log ${name}: name another one.`);
  }
  const known = journal.meta.get("eventCount") ?? 0;
  const common = await commonEvents(client, journal.tiles, Math.min(known, size));
  const kept = await leavesAfter(client, common);
  const counted = new LostEvents(tell);
  for (const { index, line } of linesFrom(journal, common)) {
    if (index >= common && !kept.has(hashed(line))) counted.add(line);
  }
  const { rows } = await client.query<{ seq: string }>("SELECT seq FROM weir.config_head");
  const changes = (journal.meta.get("changeCount") ?? 0) - Number(rows[0]?.seq);
  if (counted.events === 0 && changes <= 0) {
    throw new Error(
      "The database has everything that this directory has, so it was not set back, or another gateway knows more: name its directory.",
    );
  }
  return counted.sums(Math.max(0, changes));
}

/** How many events the copy and the database have in common, from the first one on: at most `size`. */
async function commonEvents(client: Client, tiles: Tiles, size: number): Promise<number> {
  let [same, beyond] = [0, size + 1];
  while (beyond - same > 1) {
    const middle = Math.floor((same + beyond) / 2);
    const isSame = rootOf(tiles, middle).equals(await rootOfTiles(client, middle));
    if (isSame) same = middle;
    else beyond = middle;
  }
  return same;
}

/** The hashes of the database's events from `first` on, in hex. */
async function leavesAfter(client: Client, first: number): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ leaves: string }>({
    text: "SELECT encode(leaves, 'hex') AS leaves FROM weir.run WHERE first + n > $1",
    values: [first],
  });
  return new Set(rows.flatMap(({ leaves }) => leaves.match(/.{64}/g) ?? []));
}

/** The copy's events, from the row on that has the event `first`. */
function* linesFrom(
  { events }: Store["journal"],
  first: number,
): Generator<{ readonly index: number; readonly line: string }> {
  const [start = 0] = events.getKeys({ start: first, reverse: true, limit: 1 });
  for (const page of pagesOf(events, rowsAtOnce, start)) {
    for (const { key, value } of page) {
      const lines = Buffer.from(value).toString().split("\n");
      for (const [i, line] of lines.entries()) yield { index: key + i, line };
    }
  }
}

const rowsAtOnce = 32;

function hashed(line: string): string {
  return leafHash(Buffer.from(line)).toString("hex");
}

/** Counts what is gone. */
class LostEvents {
  readonly #tell: (line: string) => void;
  readonly #byType = new Map<string, number>();
  readonly #keys = new Set<string>();
  #events = 0;
  #debited = 0n;
  #toppedUp = 0n;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  get events(): number {
    return this.#events;
  }

  add(line: string): void {
    const { event_type: type, data } = readEvent(line);
    this.#events += 1;
    this.#byType.set(type, (this.#byType.get(type) ?? 0) + 1);
    if (type === "payg.debit.applied" || type === "payg.debit.recovered") {
      this.#debited += microUsdIn(data["costUsd"]);
    }
    if (type === "payg.topup" || type === "payg.correction") {
      this.#toppedUp += microUsdIn(data["amountUsd"]);
    }
    if (type === "key.revoked" || type === "key.rotated") this.#keys.add(String(data["id"]));
    this.#tell(line);
  }

  sums(changes: number): Lost {
    return {
      events: this.#events,
      byType: this.#byType,
      debitedUsd: formatUsd(microUsd(this.#debited)),
      toppedUpUsd: formatUsd(microUsd(this.#toppedUp)),
      changes,
      keys: [...this.#keys],
    };
  }
}

/** Of an amount with six places. */
function microUsdIn(usd: unknown): bigint {
  return typeof usd === "string" ? BigInt(usd.replace(".", "")) : 0n;
}
