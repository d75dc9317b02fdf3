import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize } from "node:v8";
import { zstdDecompressSync } from "node:zlib";
import type { Client } from "pg";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { formatUsd, microUsd } from "../../../src/contract/money.ts";
import type { LedgerEntry } from "../../../src/contract/ledger.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { rootOf } from "../../../src/store/audit/merkle-tree.ts";
import { auditKey } from "../../../src/store/embedded/audit/audit-key.ts";
import { openContentRoot } from "../../../src/store/embedded/content/content-root.ts";
import { putContent } from "../../../src/store/embedded/content/content-rows.ts";
import { openStore, type Store } from "../../../src/store/embedded/store.ts";
import {
  appendEvents,
  applyLines,
  type JournalOperation,
} from "../../../src/store/journal/batch.ts";
import { migrate } from "../../../src/store/shared/migrations.ts";
import { moveToPostgres, type Moved } from "../../../src/store/shared/move.ts";
import type { NamedWindow } from "../../../src/store/shared/move-limits.ts";
import { openCopy } from "../../../src/store/shared/open-copy.ts";
import { SharedSlots } from "../../../src/store/slots/shared-slots.ts";
import { encodeHead } from "../../../src/store/windows/stored-windows.ts";
import { UsageLine } from "../../../src/store/windows/usage-count.ts";
import { bucketMs, tickOf, usageRingBytes } from "../../../src/store/windows/usage-ring.ts";
import { headKey } from "../../../src/store/windows/window-change.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { madeLines } from "./reads.ts";

const dayMs = 86_400_000;
const by = { apiKeyId: "key_1", team: "blue" };
const lineOf = (i: number): string =>
  JSON.stringify({ event: i, created_at: "2026-01-01T00:00:00.000Z", padding: "x".repeat(i % 50) });

function entry(type: LedgerEntry["type"], key: string, more: object = {}): LedgerEntry {
  const amounts = { amountUsd: formatUsd(microUsd(5n)), balanceAfterUsd: formatUsd(microUsd(0n)) };
  return {
    ...{ id: "0", type, ...amounts, idempotencyKey: key, requestId: null },
    ...{ catalogVersion: null, usage: null, createdAt: "2026-02-03T04:05:06.789Z" },
    ...more,
  };
}

/** Everything that jobs and bindings are. */
function rowsOf({ journal }: Store): string {
  const { jobs, jobItems, jobStates, jobPayloads, jobResults, providerState } = journal;
  const { jobsOpen, jobsToCome, jobsByOrg, jobsByEnd } = journal;
  const tables = [jobs, jobItems, jobStates, jobPayloads, jobResults, providerState];
  return JSON.stringify(
    [...tables, jobsOpen, jobsToCome, jobsByOrg, jobsByEnd].map((table) =>
      Array.from<{ key: unknown; value: unknown }>(table.getRange()),
    ),
  );
}

describeWithPostgres("the move of a data directory", () => {
  const database = new TestDatabase();
  let client: Client;
  let dataDir: string;
  beforeAll(async () => {
    client = await database.connectForAll();
  });
  beforeEach(async () => {
    // As an operator begins anew.
    await client.query("DROP SCHEMA weir CASCADE");
    await migrate(database.url);
    dataDir = mkdtempSync(join(tmpdir(), "weir-move-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function directory(
    write: (store: Store) => void,
    { events = 10 }: { readonly events?: number } = {},
  ): Promise<string> {
    const opened = await openStore({ dataDir });
    if (!opened.ok) throw new Error(opened.fault);
    const store = opened.value;
    const key = await auditKey(store);
    if (!key.ok) throw new Error(key.refusal.message);
    await store.write(() => {
      for (let at = 0; at < events; at += 100) {
        const count = Math.min(100, events - at);
        appendEvents(
          store.journal,
          Array.from({ length: count }, (_, i) => lineOf(at + i)),
        );
      }
      write(store);
      return accept(null);
    });
    const root = rootOf(store.journal.tiles, events).toString("base64");
    await store.close();
    return root;
  }

  const operations = (store: Store, ...all: readonly JournalOperation[]): void =>
    applyLines(store.journal, { number: 1, lines: [], operations: all });

  function move(
    log: (line: string) => void = () => undefined,
    windows: readonly NamedWindow[] = [],
  ): Promise<Moved> {
    return moveToPostgres({ url: database.url, dataDir, windowsOf: () => windows, log });
  }

  async function values(sql: string): Promise<readonly unknown[]> {
    return (await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows;
  }

  test("events keep their places, with a tree of several levels", async () => {
    const root = await directory(() => undefined, { events: 3_000 });
    const { compared } = await move();
    expect(compared[0]).toEqual(["log", `3000 events, root ${root}`]);
    const { rows } = await client.query<{ lines: Buffer }>(
      "SELECT lines FROM weir.run ORDER BY place",
    );
    const lines = rows.flatMap((row) => zstdDecompressSync(row.lines).toString().split("\n"));
    expect(lines).toEqual(Array.from({ length: 3_000 }, (_, i) => lineOf(i)));
    // Whoever writes next goes on behind them.
    await client.query("SELECT weir.append_made(ARRAY['one more'])");
    await client.query("SELECT weir.sequence_runs(10)");
    expect(await values("SELECT size FROM weir.log_head")).toEqual([["3001"]]);
  });

  test("an event that was changed on the disk is not moved", async () => {
    await directory(({ journal }) =>
      journal.events.putSync(0, Buffer.from(`${lineOf(9)}\n`.repeat(9) + lineOf(9))),
    );
    await expect(move()).rejects.toThrow(/event 0 of the log is not the one that its tree has/);
  });

  test("money: balances, entries, months and debts as they are; holds end with an unknown outcome", async () => {
    await directory((store) => {
      const usage = { uncachedInput: 3 };
      const debit = { requestId: "r1", catalogVersion: "v1", usage };
      operations(
        store,
        { kind: "open", orgId: "empty" },
        { kind: "entry", orgId: "o", amount: microUsd(7_000_000n), entry: entry("top_up", "t") },
        { kind: "entry", orgId: "o", amount: microUsd(5n), entry: entry("debit", "r1", debit) },
        { kind: "entry", orgId: "o", amount: microUsd(-2n), entry: entry("correction", "c") },
        {
          ...{ kind: "owe", orgId: "o" },
          debt: {
            requestId: "r2",
            by,
            owedAt: "2026-02-04",
            cost: "9000000",
            catalogVersion: null,
            usage,
          },
        },
        { kind: "hold", requestId: "r3", orgId: "o", by, amount: microUsd(1_500_000n) },
        // Refused: the key has an entry.
        { kind: "entry", orgId: "o", amount: microUsd(5n), entry: entry("debit", "r1", debit) },
      );
    });
    const { compared } = await move();
    expect(new Map(compared).get("sum of balances, micro-dollars")).toBe("6999993");
    expect(
      await values("SELECT org_id, balance, escrowed, entries FROM weir.account ORDER BY 1"),
    ).toEqual([
      ["empty", "0", "0", "0"],
      ["o", "6999993", "0", "3"],
    ]);
    expect(
      await values(
        "SELECT number, type, balance_after, idempotency_key, detail FROM weir.ledger ORDER BY 1",
      ),
    ).toEqual([
      ["1", "top_up", "7000000", "t", null],
      ["2", "debit", "6999995", "r1", { catalogVersion: "v1", usage: { uncachedInput: 3 } }],
      ["3", "correction", "6999993", "c", null],
    ]);
    expect(
      await values("SELECT month, debits, top_ups, corrections, entries FROM weir.ledger_month"),
    ).toEqual([["2026-02", "5", "7000000", "-2", "3"]]);
    expect(await values("SELECT request_id, cost, owed_at, payer FROM weir.debt")).toEqual([
      ["r2", "9000000", "2026-02-04", by],
    ]);
    expect(await values("SELECT * FROM weir.hold")).toEqual([]);
    const events = (await madeLines(client)).map((line) => JSON.parse(line) as object);
    expect(events).toMatchObject([
      {
        ...{ event_type: "payg.hold.expired", org_id: "o", request_id: "r3" },
        data: {
          amountUsd: "1.500000",
          reason: "outcome_unknown",
          api_key_id: "key_1",
          team: "blue",
        },
      },
      { event_type: "payg.entry.refused", request_id: "r1", data: { reason: "duplicate_key" } },
    ]);
  });

  test("what was used counts as long as it would have, with what was not folded yet", async () => {
    const seed = "ab".repeat(16);
    const slots = new SharedSlots({ slots: 8, bytesPerSlot: usageRingBytes, seed });
    const width = bucketMs("hour");
    // The timeline is three hours behind the wall clock.
    const nowMs = Date.now();
    const timelineMs = nowMs - 3 * 3_600_000;
    const line = new UsageLine();
    line.add(slots.nameOfId("limit a"), "hour", tickOf("hour", timelineMs), 7n);
    line.add(slots.nameOfId("limit a"), "hour", tickOf("hour", timelineMs) - 60, 5n);
    line.add(slots.nameOfId("limit b"), "hour", tickOf("hour", timelineMs) - 400, 5n);
    await directory(({ journal }) => {
      const head = { v: 1, seed, bytesPerSlot: usageRingBytes, wallMs: nowMs, timelineMs } as const;
      journal.usageWindows.putSync(headKey, encodeHead(head));
      journal.usageLog.putSync(1, line.at({ wallMs: nowMs, timelineMs }).line);
      journal.usageLog.putSync(0, JSON.stringify({ from: 1, to: 1, characters: 1, sinceMs: 0 }));
    });
    const window = "hour";
    await move(undefined, [
      { id: "limit a", window: "day" },
      { id: "limit a", window },
      { id: "limit b", window },
      { id: "limit c", window },
    ]);
    expect(await values("SELECT id, bucket_ms, used FROM weir.cap")).toEqual([
      ["limit a", String(width), "12"],
    ]);
    const buckets = await values("SELECT tick, amount FROM weir.cap_bucket ORDER BY 1");
    const now = Math.floor(nowMs / width);
    const [[first, older], [last, newer]] = buckets as [[string, string], [string, string]];
    expect([older, newer]).toEqual(["5", "7"]);
    expect(Number(last) - Number(first)).toBe(60);
    expect([now, now + 1]).toContain(Number(last));
  });

  test("content keeps its age, and erasures that had begun take what they were to take", async () => {
    const nowMs = Date.now();
    await directory((store) => {
      const about = { index: null, byKeyId: "key" };
      const all = { ...about, orgId: "o", requestId: null };
      operations(
        store,
        { kind: "erasure", id: "e2", erasure: { ...all, beforeMs: nowMs - 1_000 } },
        { kind: "erasure", id: "e1", erasure: { ...all, beforeMs: nowMs - dayMs } },
        {
          ...{ kind: "erasure", id: "e3" },
          erasure: { ...about, orgId: "o", requestId: "new", beforeMs: 0 },
        },
      );
    });
    const content = openContentRoot(join(dataDir, "content.mdb"));
    const put = (orgId: string, requestId: string, createdAtMs: number): void => {
      const value = Buffer.from(`value of ${requestId}`);
      content.root.transactionSync(() =>
        putContent(content, { orgId, requestId, createdAtMs, value }),
      );
    };
    put("o", "old", nowMs - 2 * dayMs);
    put("o", "between", nowMs - 60_000);
    put("o", "new", nowMs);
    put("o", "newer", nowMs + 5_000);
    put("other", "kept", nowMs - 2 * dayMs);
    await content.root.close();
    await move();
    expect(
      await values(`SELECT request_id, round(extract(epoch FROM now() - created_at) / 86400)
        FROM weir.content ORDER BY created_at, org_id`),
    ).toEqual([
      ["old", "2"],
      ["kept", "2"],
      ["between", "0"],
      ["new", "0"],
      ["newer", "0"],
    ]);
    const left = async () => values("SELECT request_id FROM weir.content ORDER BY 1");
    const erase = (id: string) => client.query("SELECT weir.erase_content($1, 100)", [id]);
    expect(await values("SELECT weir.erasures_left(10)")).toEqual([[["e1", "e2", "e3"]]]);
    await erase("e1");
    expect(await left()).toEqual([["between"], ["kept"], ["new"], ["newer"]]);
    await erase("e2");
    expect(await left()).toEqual([["kept"], ["new"], ["newer"]]);
    await erase("e3");
    expect(await left()).toEqual([["kept"], ["newer"]]);
    expect(await values("SELECT convert_from(value, 'UTF8') FROM weir.content ORDER BY 1")).toEqual(
      [["value of kept"], ["value of newer"]],
    );
  });

  test("jobs and bindings are in every copy as they were", async () => {
    const [body, large] = [Buffer.from("0123456789"), Buffer.alloc(1_400_000, "large")];
    const [starts, ends] = [
      [0, 2, 4, 6, 8],
      [2, 4, 6, 8, 10],
    ];
    const ids = ["a", "b", "c", "d", "e"];
    const about = { orgId: "o", apiKeyId: "k", createdAtMs: 5, ids, body, starts, ends };
    const end = { kind: "jobItemEnd", status: "completed", result: '{"é":1}', atMs: 9 } as const;
    const piece = {
      kind: "jobPayloads",
      itemCount: 5,
      body,
      starts,
      ends,
      from: 0,
      to: 2,
    } as const;
    const all: JournalOperation[] = [
      { kind: "job", jobId: "open", ...about },
      { ...end, jobId: "open", index: 1 },
      { ...end, jobId: "open", index: 2, status: "failed" },
      { kind: "jobAttempts", jobId: "open", index: 3, attempts: 2 },
      { kind: "job", jobId: "ended", ...about, ids: ["a"], starts: [0], ends: [10] },
      { ...end, jobId: "ended", index: 0 },
      // Its payloads are too long for one piece.
      {
        kind: "job",
        jobId: "large",
        ...about,
        ids: ["a", "b"],
        body: large,
        starts: [0, 700_000],
        ends: [700_000, 1_400_000],
      },
      { kind: "bind", orgId: "o", account: "p", ids: ["resp_1", "msg_1"], atMs: 3 },
    ];
    let before = "";
    await directory((store) => {
      operations(store, ...all);
      before = rowsOf(store);
      // A start removes what never became whole, too.
      operations(store, { ...piece, jobId: "never" });
    });
    await move();
    const { rows } = await client.query<{ operations: Buffer }>(
      "SELECT operations FROM weir.run WHERE operations IS NOT NULL ORDER BY place",
    );
    const folder = mkdtempSync(join(tmpdir(), "weir-copy-"));
    const copy = await openStore({ dataDir: folder });
    if (!copy.ok) throw new Error(copy.fault);
    await copy.value.write(() => {
      for (const row of rows) {
        operations(copy.value, ...(deserialize(row.operations) as JournalOperation[]));
      }
      return accept(null);
    });
    expect(rowsOf(copy.value)).toBe(before);
    await copy.value.close();
    rmSync(folder, { recursive: true });
  });

  test("a move that is broken off leaves nothing but its mark, no gateway starts, and it may be repeated", async () => {
    const root = await directory((store) => operations(store, { kind: "open", orgId: "o" }), {
      events: 500,
    });
    const broken = move((line) => {
      if (!line.includes("rows of the configuration")) return;
      void client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'weir operator'`);
    });
    await expect(broken).rejects.toThrow();
    expect(await values("SELECT count(*) FROM weir.run")).toEqual([["0"]]);
    expect(readdirSync(dataDir)).not.toContain("moved-to-postgres.txt");
    const folder = mkdtempSync(join(tmpdir(), "weir-copy-"));
    const gateway = openCopy({
      ...{ url: database.url, dataDir: folder, release: "1.0.0", configHash: "" },
      news: {} as never,
    });
    await expect(gateway).rejects.toThrow(/move of the log .* has not ended, or was broken off/);
    rmSync(folder, { recursive: true, force: true });
    expect((await move()).compared[0]).toEqual(["log", `500 events, root ${root}`]);
    expect(readdirSync(dataDir)).toContain("moved-to-postgres.txt");
    // If only the answer to its commit was lost, the next one finds everything.
    rmSync(join(dataDir, "moved-to-postgres.txt"));
    expect(await move()).toMatchObject({ isNew: false });
    expect(readdirSync(dataDir)).toContain("moved-to-postgres.txt");
  });

  test("a database that a gateway has used takes no move", async () => {
    await directory(() => undefined);
    await client.query("SELECT weir.join_cluster('other', '1.0.0', '')");
    await expect(move()).rejects.toThrow(/not empty \(gateway\)/);
    expect(await values("SELECT moving FROM weir.meta")).toEqual([[null]]);
  });
});
