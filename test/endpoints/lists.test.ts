import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Organization } from "../../src/contract/identity.ts";
import {
  downloadRowsPerStep,
  listCostPerTurn,
  listPageBytesMin,
  listRowCost,
  listRowsPerStep,
} from "../../src/contract/limits.ts";
import { accept } from "../../src/contract/outcome.ts";
import { exportCsv } from "../../src/endpoints/audit/exports.ts";
import { streamPages, type DownloadExchange } from "../../src/endpoints/csv.ts";
import type { Call } from "../../src/endpoints/keys-api/endpoint.ts";
import { OrganizationEndpoints } from "../../src/endpoints/keys-api/organizations.ts";
import type { AuditLog } from "../../src/store/embedded/audit/audit-log.ts";
import type { Ledger } from "../../src/store/ledger/ledger.ts";
import { openOrganizations } from "../../src/store/embedded/organizations.ts";
import { temporaryStore, valueOf } from "../store/temporary-store.ts";
import { LoopTurns } from "../support/loop-turns.ts";

function turnsOfTest(): LoopTurns {
  const turns = new LoopTurns();
  onTestFinished(() => turns.stop());
  return turns;
}

/** The most that one turn has of what was noted as `[turn, amount]`. */
function mostInOneTurn(notes: readonly (readonly [turn: number, amount: number])[]): number {
  const sums = new Map<number, number>();
  for (const [turn, amount] of notes) sums.set(turn, (sums.get(turn) ?? 0) + amount);
  return Math.max(...sums.values());
}

describe("a list", () => {
  /** A store with organizations of so many bytes each, asked by an operator. */
  async function listOf(count: number, bytesEach: number) {
    const store = await temporaryStore();
    const stored = Array.from({ length: count }, (_, i) => organization(i, bytesEach));
    valueOf(
      await store.write(() => {
        for (const one of stored) {
          store.tables.organizations.putSync(one.id, { v: 2, organization: one });
        }
        return accept(null);
      }),
    );
    // What a test before has taken of its turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    const organizations = openOrganizations(store);
    const endpoints = new OrganizationEndpoints(organizations, {} as Partial<Ledger> as Ledger);
    const turns = turnsOfTest();
    const read: [turn: number, rows: number][] = [];
    const list = organizations.list.bind(organizations);
    vi.spyOn(organizations, "list").mockImplementation((query) => {
      read.push([turns.now, query.limit]);
      return list(query);
    });
    const ask = async (query: string): Promise<string> => {
      const call = { manager: { orgId: null }, query: new URLSearchParams(query) };
      const { answer } = valueOf(await endpoints.list(call as Partial<Call> as Call));
      return String(answer?.body);
    };
    return { stored, read, ask };
  }

  test("is the same JSON as of all of its rows at once", async () => {
    const { stored, ask } = await listOf(40, 100);
    const nextCursor = stored[29]?.id;
    expect(await ask("limit=30")).toBe(JSON.stringify({ data: stored.slice(0, 30), nextCursor }));
    const rest = JSON.stringify({ data: stored.slice(30), nextCursor: null });
    expect(await ask(`limit=30&cursor=${nextCursor}`)).toBe(rest);
    expect(await ask("limit=40")).toBe(JSON.stringify({ data: stored, nextCursor: null }));
  });

  test("reads few rows in a turn, also where several are asked for at once", async () => {
    const { ask, read } = await listOf(400, 100);
    await Promise.all([ask("limit=400"), ask("limit=400"), ask("limit=400")]);
    expect(read.reduce((sum, [, rows]) => sum + rows, 0)).toBe(1_200);
    const rowsPerTurn = listCostPerTurn / listRowCost + listRowsPerStep;
    expect(mostInOneTurn(read)).toBeLessThanOrEqual(rowsPerTurn);
  });

  test("of large rows reads fewer in a turn, and ends a page early", async () => {
    const large = 64 * 1024;
    const { stored, ask, read } = await listOf(40, large);
    const seen: unknown[] = [];
    const pageBytes: number[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const body = await ask(`limit=40${cursor === "" ? "" : `&cursor=${cursor}`}`);
      const page = JSON.parse(body) as { data: unknown[]; nextCursor: string | null };
      seen.push(...page.data);
      pageBytes.push(body.length);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(stored);
    const stepBytes = listRowsPerStep * (large + 1_024);
    expect(Math.max(...pageBytes)).toBeLessThanOrEqual(listPageBytesMin + stepBytes);
    expect(mostInOneTurn(read)).toBeLessThanOrEqual(
      Math.ceil(listCostPerTurn / large) + listRowsPerStep,
    );
  });
});

function organization(i: number, bytes: number): Organization {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    id: `org_${String(i).padStart(6, "0")}`,
    name: "n".repeat(bytes),
    plan: "paid",
    rateLimit: null,
    budget: null,
    retentionDays: null,
    payg: "enabled",
    securityPolicyId: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** A client that takes all that comes at once. */
function download(turns: LoopTurns) {
  const written: [turn: number, bytes: number][] = [];
  const texts: string[] = [];
  let state: DownloadExchange["state"] = "open";
  const exchange = {
    head: { method: "GET", path: "/", query: "", headers: [] },
    get state() {
      return state;
    },
    begin: () => (state = "streaming"),
    write: (chunk: Uint8Array) => {
      written.push([turns.now, chunk.length]);
      texts.push(Buffer.from(chunk).toString());
      return true;
    },
    end: () => (state = "done"),
    onDrained: () => undefined,
    onGone: () => undefined,
  };
  return { exchange: exchange as Partial<DownloadExchange> as DownloadExchange, written, texts };
}

describe("a download", () => {
  test("together with others makes few pages in a turn", async () => {
    const turns = turnsOfTest();
    const made: [turn: number, pages: number][] = [];
    const one = (): Promise<void> => {
      let left = 20;
      return streamPages(download(turns).exchange, [], () => {
        made.push([turns.now, 1]);
        left -= 1;
        return left < 0 ? null : "page";
      });
    };
    await Promise.all([one(), one(), one(), one(), one()]);
    expect(made).toHaveLength(5 * 21);
    // Of what has one, the share of a turn is two pages; the last look of each finds none.
    const pages = made.filter((_, i) => i < 5 * 20);
    expect(mostInOneTurn(pages)).toBeLessThanOrEqual(2);
  });

  test("of audit events that lie together is made in pieces", async () => {
    const turns = turnsOfTest();
    const { exchange, texts } = download(turns);
    const lines = Array.from({ length: 1_000 }, (_, index) => ({ index, line: event(index) }));
    const log: Partial<AuditLog> = {
      size: lines.length,
      placeFrom: (first) => first,
      run: (first) => lines.slice(first),
    };
    const call = { query: new URLSearchParams(), orgId: null };
    valueOf(await exportCsv(log as AuditLog, call, exchange));
    const rows = texts.map((text) => text.split("\r\n").length - 1);
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(1 + lines.length);
    expect(Math.max(...rows)).toBe(downloadRowsPerStep);
  });
});

function event(index: number): string {
  const base = { event_type: "request.completed", message: "", org_id: "org_1" };
  const at = "2026-01-01T00:00:00.000Z";
  return JSON.stringify({
    ...base,
    request_id: `${index}`,
    data: { type: "request" },
    created_at: at,
  });
}
