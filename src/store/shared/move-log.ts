import { serialize } from "node:v8";
import { zstdCompressSync } from "node:zlib";
import type { Client } from "pg";
import { batchPayloadBytesPerWrite, movedRunBytes, movedRunEvents } from "../../contract/limits.ts";
import { GrowingRoot } from "../audit/growing-root.ts";
import { leafHash, type Hash } from "../audit/merkle.ts";
import { rootOf, type Tiles } from "../audit/merkle-tree.ts";
import { pagesOf } from "../embedded/files/pages.ts";
import type { LmdbJournalTables } from "../embedded/journal/journal-tables.ts";
import { itemCompleted, itemFailed, type JobOperation } from "../jobs/job-rows.ts";
import type { JournalOperation } from "../journal/batch.ts";

/** What was read of a data directory's log, and of what every gateway has a copy. */
export interface MovedLog {
  readonly events: number;
  readonly root: Hash;
  readonly bindings: number;
  readonly jobs: number;
}

/** Told after each step how much was moved so far. */
export type MoveProgress = (done: number) => void;

/**
 * Moves the audit log with its tree, and what follows it as operations: whose the provider's stored responses are, and batch
 * jobs. Everything is hashed anew. Call it in a transaction on a database whose log is empty. Throws if an event is not
 * the one that the tree has.
 */
export async function moveLog(
  client: Client,
  tables: LmdbJournalTables,
  progress: MoveProgress,
): Promise<MovedLog> {
  const events = tables.meta.get("eventCount") ?? 0;
  const runs = new RunWriter(client);
  for (const lines of runsOf(tables)) {
    const leaves = lines.map((line) => leafHash(Buffer.from(line)));
    expectLeaves(tables.tiles, runs.events, leaves);
    await runs.write(lines, leaves, []);
    progress(runs.events);
  }
  if (runs.events !== events) {
    throw new Error(`the log has ${runs.events} of its ${events} events. Restore a backup`);
  }
  await moveTiles(client, tables);
  const gathered = new GatheredOperations(runs);
  const bindings = await moveBindings(tables, gathered);
  const jobs = await moveJobs(tables, gathered);
  await gathered.end();
  await client.query({
    text: "UPDATE weir.log_head SET size = $1, runs = $2",
    values: [events, runs.places],
  });
  // What the store writes itself comes behind.
  if (runs.places > 0) {
    await client.query({ text: "SELECT setval('weir.store_run', $1)", values: [runs.places] });
  }
  return { events, root: rootOf(tables.tiles, events), bindings, jobs };
}

/** The roots of the first `size` events in a database: of its runs, and of its tiles. */
export async function rootsIn(
  client: Client,
  size: number,
): Promise<{ readonly ofRuns: Hash; readonly ofTiles: Hash }> {
  const growing = new GrowingRoot();
  for (let place = 0; growing.size < size;) {
    const { rows } = await client.query<{ place: string; first: string; leaves: Buffer }>({
      text: `SELECT place, first, leaves FROM weir.run WHERE place > $1 ORDER BY place LIMIT $2`,
      values: [place, runsReadAtOnce],
    });
    if (rows.length === 0) throw new Error(`the database has ${growing.size} of ${size} events`);
    for (const { place: at, first, leaves } of rows) {
      if (growing.size === size) break;
      if (Number(at) !== place + 1 || Number(first) !== growing.size) {
        throw new Error(`run ${at} of the database does not follow run ${place}`);
      }
      place += 1;
      for (let leaf = 0; leaf < leaves.length && growing.size < size; leaf += hashBytes) {
        growing.append(leaves.subarray(leaf, leaf + hashBytes));
      }
    }
  }
  return { ofRuns: growing.root(), ofTiles: await rootOfTiles(client, size) };
}

const hashBytes = 32;
const runsReadAtOnce = 64;

/** Writes runs with their places, as the store's own. */
class RunWriter {
  readonly #client: Client;
  #places = 0;
  #events = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  get places(): number {
    return this.#places;
  }

  get events(): number {
    return this.#events;
  }

  async write(
    lines: readonly string[],
    leaves: readonly Hash[],
    operations: readonly JournalOperation[],
  ): Promise<void> {
    this.#places += 1;
    const packed = lines.length === 0 ? null : zstdCompressSync(lines.join("\n"));
    const operated = operations.length === 0 ? null : serialize(operations);
    await this.#client.query({
      name: "move_run",
      text: `INSERT INTO weir.run (gateway_id, seq, place, first, n, lines, leaves, operations)
        VALUES (0, $1, $1, $2, $3, $4, $5, $6)`,
      values: [this.#places, this.#events, lines.length, packed, Buffer.concat(leaves), operated],
    });
    this.#events += lines.length;
  }
}

/** The log's lines, in pieces of about `movedRunEvents` and `movedRunBytes`. */
function* runsOf({ events }: LmdbJournalTables): Generator<readonly string[]> {
  let [lines, bytes]: [string[], number] = [[], 0];
  for (const page of pagesOf(events, rowsAtOnce)) {
    for (const { value } of page) {
      lines.push(...Buffer.from(value).toString().split("\n"));
      bytes += value.length;
      if (lines.length < movedRunEvents && bytes < movedRunBytes) continue;
      yield lines;
      [lines, bytes] = [[], 0];
    }
  }
  if (lines.length > 0) yield lines;
}

/** A row has at most `auditRowEventsMax` events. */
const rowsAtOnce = 32;

function expectLeaves(tiles: Tiles, first: number, leaves: readonly Hash[]): void {
  for (const [i, leaf] of leaves.entries()) {
    const index = first + i;
    const at = (index % tileWidth) * hashBytes;
    const tile = tiles.get([0, Math.floor(index / tileWidth)]);
    const known = tile === undefined ? null : Buffer.from(tile.subarray(at, at + hashBytes));
    if (known?.equals(leaf) !== true) {
      throw new Error(
        `event ${index} of the log is not the one that its tree has. Restore a backup`,
      );
    }
  }
}

/** As src/store/audit/merkle-tree.ts has it. */
const tileWidth = 256;

async function moveTiles(client: Client, { tiles }: LmdbJournalTables): Promise<void> {
  for (const page of pagesOf(tiles, tilesAtOnce)) {
    const rows = page.map(({ key: [level, i], value }) => ({
      columns: [level, i],
      bytes: Buffer.from(value),
    }));
    await insertWithBytes(
      client,
      `INSERT INTO weir.tile (level, i, hashes)
        SELECT (r ->> 0)::integer, (r ->> 1)::bigint, ${bytesAfter(2)} FROM rows`,
      rows,
    );
  }
}

const tilesAtOnce = 64;

/** A row with bytes, for `insertWithBytes`. */
export interface RowWithBytes {
  /** JSON. */
  readonly columns: readonly unknown[];
  readonly bytes: Uint8Array;
}

/** The expression of a row's bytes behind so many columns. */
export function bytesAfter(columns: number): string {
  return `substring($2::bytea FROM (r ->> ${columns})::integer FOR (r ->> ${columns + 1})::integer)`;
}

/** Runs an INSERT that selects from `rows (r)`: each row's columns as JSON, and what `bytesAfter` needs. */
export async function insertWithBytes(
  client: Client,
  insert: string,
  rows: readonly RowWithBytes[],
): Promise<void> {
  let at = 1;
  const columns = rows.map(({ columns, bytes }) => {
    const row = [...columns, at, bytes.length];
    at += bytes.length;
    return row;
  });
  const values = [JSON.stringify(columns), Buffer.concat(rows.map(({ bytes }) => bytes))];
  await client.query({
    text: `WITH rows AS (SELECT r FROM jsonb_array_elements($1) AS r) ${insert}`,
    values,
  });
}

/** Gathers operations into runs without events. */
class GatheredOperations {
  readonly #runs: RunWriter;
  #operations: JournalOperation[] = [];
  #bytes = 0;

  constructor(runs: RunWriter) {
    this.#runs = runs;
  }

  /** `bytes`: about how many it takes. */
  async add(operation: JournalOperation, bytes: number): Promise<void> {
    this.#operations.push(operation);
    this.#bytes += bytes;
    if (this.#bytes >= movedRunBytes) await this.end();
  }

  async end(): Promise<void> {
    if (this.#operations.length > 0) await this.#runs.write([], [], this.#operations);
    [this.#operations, this.#bytes] = [[], 0];
  }
}

async function moveBindings(
  { providerState }: LmdbJournalTables,
  gathered: GatheredOperations,
): Promise<number> {
  let bindings = 0;
  for (const page of pagesOf(providerState, bindingsAtOnce)) {
    for (const { key, value } of page) {
      const [orgId, id] = key;
      const bind: JournalOperation = { kind: "bind", orgId, ids: [id], ...value };
      await gathered.add(bind, bytesPerOperation + id.length);
    }
    bindings += page.length;
  }
  return bindings;
}

const bindingsAtOnce = 1_000;
const bytesPerOperation = 200;

async function moveJobs(tables: LmdbJournalTables, gathered: GatheredOperations): Promise<number> {
  let jobs = 0;
  // A submission that never became whole is left behind, as a start leaves it.
  for (const page of pagesOf(tables.jobs, jobsAtOnce)) {
    for (const { key } of page) {
      for (const operation of operationsOf(tables, key)) {
        await gathered.add(operation, bytesPerOperation + bytesOf(operation));
      }
    }
    jobs += page.length;
  }
  return jobs;
}

const jobsAtOnce = 16;

/** What makes a job what it is: its payloads that are still needed, the job, and how far its items are. */
function* operationsOf(tables: LmdbJournalTables, jobId: string): Generator<JobOperation> {
  const row = tables.jobs.get(jobId);
  const items = tables.jobItems.get(jobId);
  const states = tables.jobStates.get(jobId);
  if (row === undefined || items === undefined || states === undefined) {
    throw new Error(`the batch job ${jobId} is not whole. Restore a backup`);
  }
  const { orgId, apiKeyId, createdAtMs, completedAtMs, itemCount } = row;
  for (let from = 0; from < itemCount;) {
    const piece = pieceFrom(tables, jobId, from, itemCount);
    if (piece.to > from) yield piece;
    // An item that has ended has no payload.
    from = piece.to > from ? piece.to : from + 1;
  }
  const ends: number[] = [];
  for (const bytes of items.bytes) ends.push((ends.at(-1) ?? 0) + bytes);
  const starts = ends.map((end, i) => end - (items.bytes[i] ?? 0));
  const written = { body: new Uint8Array(), starts, ends, from: itemCount };
  yield { kind: "job", jobId, orgId, apiKeyId, createdAtMs, ids: items.ids, ...written };
  for (const [index, state] of states.entries()) {
    if (state === 0) continue;
    if (state < itemFailed) {
      yield { kind: "jobAttempts", jobId, index, attempts: state };
      continue;
    }
    const result = Buffer.from(tables.jobResults.get([jobId, index]) ?? []).toString();
    const status = state === itemCompleted ? "completed" : "failed";
    const atMs = completedAtMs ?? createdAtMs;
    yield { kind: "jobItemEnd", jobId, index, status, result, atMs };
  }
}

/** Payloads of items from `from` on that have not ended, up to the next one that has or `batchPayloadBytesPerWrite`. */
function pieceFrom(
  { jobPayloads }: LmdbJournalTables,
  jobId: string,
  from: number,
  itemCount: number,
): Extract<JobOperation, { kind: "jobPayloads" }> {
  const payloads: Buffer[] = [];
  const starts = Array.from({ length: from }, () => 0);
  const ends = [...starts];
  let [to, bytes] = [from, 0];
  for (; to < itemCount; to += 1) {
    const payload = jobPayloads.get([jobId, to]);
    if (payload === undefined || (bytes > 0 && bytes + payload.length > batchPayloadBytesPerWrite))
      break;
    payloads.push(Buffer.from(payload));
    starts.push(bytes);
    bytes += payload.length;
    ends.push(bytes);
  }
  const body = Buffer.concat(payloads);
  return { kind: "jobPayloads", jobId, itemCount, body, starts, ends, from, to };
}

function bytesOf(operation: JobOperation): number {
  switch (operation.kind) {
    case "jobPayloads":
      return operation.body.length;
    case "jobItemEnd":
      return operation.result.length;
    case "job":
      return operation.ids.length * bytesPerOperation;
    default:
      return 0;
  }
}

/** The root of the first `size` events by the database's tiles; it needs a few of each level. */
export async function rootOfTiles(client: Client, size: number): Promise<Hash> {
  const known = new Map<string, Buffer>();
  for (;;) {
    const missing: [number, number][] = [];
    const tiles: Tiles = {
      get: ([level, i]) => {
        const tile = known.get(`${level} ${i}`);
        if (tile !== undefined) return tile;
        missing.push([level, i]);
        return Buffer.alloc(tileWidth * hashBytes);
      },
      putSync: () => undefined,
      removeSync: () => undefined,
    };
    const root = rootOf(tiles, size);
    if (missing.length === 0) return root;
    for (const [level, i] of missing) {
      const { rows } = await client.query<{ hashes: Buffer }>({
        text: "SELECT hashes FROM weir.tile WHERE level = $1 AND i = $2",
        values: [level, i],
      });
      if (rows[0] === undefined) throw new Error("the database lacks a tile of the log's tree");
      known.set(`${level} ${i}`, rows[0].hashes);
    }
  }
}
