import { inspect } from "node:util";
import { Pool, type Client } from "pg";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { canonicalEvent, readEvent } from "../../../src/contract/audit.ts";
import { ByteWriter } from "../../../src/runtime/packed-bytes.ts";
import { packContent } from "../../../src/store/content/content.ts";
import { SharedContents, type SharedContentsOptions } from "../../../src/store/shared/contents.ts";
import { SharedErasures } from "../../../src/store/shared/erasures.ts";
import { callFunction, type Queryable } from "../../../src/store/shared/call-function.ts";
import { migrate } from "../../../src/store/shared/migrations.ts";
import { FaultyLink } from "../../support/faulty-link.ts";
import { PostgresServer } from "../../support/postgres-server.ts";
import { describeWithServer } from "../../support/with-postgres-server.ts";
import { content, contentsContract, ofOrganization, textOf } from "../content/contract.ts";
import { codeOf, valueOf } from "../temporary-store.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { madeLines } from "./reads.ts";

const startMs = Date.parse("2026-06-01T00:00:00Z");
const dayMs = 24 * 3_600_000;

/** A gateway's share in the content of a database. */
interface Gateway {
  readonly contents: SharedContents;
  readonly erasures: SharedErasures;
  readonly failures: Error[];
}

function poolOf(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 2, query_timeout: 10_000 });
  pool.on("error", () => undefined);
  onTestFinished(() => pool.end());
  return pool;
}

async function openGateway(
  database: Queryable,
  more: Partial<SharedContentsOptions> = {},
): Promise<Gateway> {
  const failures: Error[] = [];
  const onFailure = (error: Error) => failures.push(error);
  const contents = await SharedContents.open({
    ...{ database, onFailure, retentions: () => [], retentionDays: () => null },
    ...more,
  });
  const erasures = new SharedErasures({ database, contents, onFailure });
  onTestFinished(async () => {
    erasures.stop();
    await contents.close();
  });
  return { contents, erasures, failures };
}

/** A database behind a gate: while `shut`, calls wait before it, and `lost` answers become an error. */
class Gate implements Queryable {
  readonly #database: Queryable;
  shut: PromiseWithResolvers<void> | null = null;
  /** Which functions lose their next answer. */
  readonly lost = new Set<string>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  async query(...about: Parameters<Queryable["query"]>): ReturnType<Queryable["query"]> {
    await this.shut?.promise;
    const answer = await this.#database.query(...about);
    if (!this.lost.delete(about[0].name)) return answer;
    throw Object.assign(new Error("lost"), { code: "ECONNRESET" });
  }
}

describeWithPostgres("content in the shared store", () => {
  const database = new TestDatabase();
  let client: Client;
  beforeAll(async () => {
    client = await database.connectForAll();
  });
  beforeEach(async () => {
    await database.empty();
    await setTime("clock_timestamp()");
  });

  async function setTime(sql: string): Promise<void> {
    await client.query(`CREATE OR REPLACE FUNCTION weir.content_now() RETURNS timestamptz
      LANGUAGE sql VOLATILE AS $$ SELECT ${sql} $$`);
  }

  async function linesErased(): Promise<readonly string[]> {
    return (await madeLines(client)).filter((line) => line.includes("erased"));
  }

  contentsContract(async (more = {}) => {
    const days = new Map<string, number>();
    const passed = (ms: number) => setTime(`to_timestamp(${startMs + ms} / 1000.0)`);
    await passed(0);
    // Nothing gets older while it waits.
    const clock = { wallMs: () => startMs, monotonicMs: () => 0 };
    const retentions = {
      retentions: () => days,
      retentionDays: (id: string) => days.get(id) ?? null,
    };
    const gateway = await openGateway(poolOf(database.url), { ...more, clock, ...retentions });
    onTestFinished(() => expect(gateway.failures).toEqual([]));
    const erased = async () => (await linesErased()).map(readEvent);
    return { ...gateway, days, passed, erased };
  });

  test("content is as old as it is at its gateway, by the server's clock", async () => {
    const gate = new Gate(poolOf(database.url));
    await setTime(`to_timestamp(${startMs} / 1000.0)`);
    let now = 5_000;
    const clock = { wallMs: () => 0, monotonicMs: () => now };
    const gateway = await openGateway(gate, { clock, retentionDays: () => 1 });
    gate.shut = Promise.withResolvers();
    gateway.contents.keep("a", "r", content("x"));
    now += dayMs;
    gate.shut.resolve();
    gate.shut = null;
    await gateway.contents.flush();
    expect(await textOf(gateway, "a", "r")).toBe("x");
    await setTime(`to_timestamp(${startMs + 1} / 1000.0)`);
    expect(await textOf(gateway, "a", "r")).toBeNull();
  });

  test("what another gateway still has on its way is erased too", async () => {
    const gate = new Gate(poolOf(database.url));
    const slow = await openGateway(gate);
    const eraser = await openGateway(poolOf(database.url));
    gate.shut = Promise.withResolvers();
    slow.contents.keep("a", "1", content("from before"));
    slow.contents.keep("b", "1", content("of another"));
    valueOf(await eraser.erasures.erase(ofOrganization("a")));
    valueOf(await eraser.erasures.erase({ ...ofOrganization("b"), requestId: "2" }));
    // It has not heard of the erasure, so this may be from before.
    slow.contents.keep("a", "2", content("who knows"));
    slow.contents.keep("b", "2", content("of another, erased"));
    gate.shut.resolve();
    gate.shut = null;
    await slow.contents.flush();
    const read = (orgId: string, id: string) => textOf(eraser, orgId, id);
    expect(await Promise.all([read("a", "1"), read("a", "2"), read("b", "2")])).toEqual([
      ...[null, null, null],
    ]);
    expect(await read("b", "1")).toBe("of another");
    slow.contents.keep("a", "3", content("later"));
    await slow.contents.flush();
    expect(await read("a", "3")).toBe("later");
  });

  test("an erasure waits for content that is just being written, and takes it", async () => {
    const writer = await database.connect();
    const eraser = await openGateway(poolOf(database.url));
    await writer.query("BEGIN");
    const row = ["a", "1", 0, 0, 1];
    await callFunction(writer, "keep_content", [JSON.stringify([row]), Buffer.from("x")]);
    const erased = eraser.erasures.erase(ofOrganization("a"));
    // It is held up by a lock, or it is over already.
    const held = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const isOver = erased.then(() => true);
    while ((await client.query(held)).rows.length === 0) {
      const soon = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5));
      if (await Promise.race([isOver, soon])) break;
    }
    await writer.query("COMMIT");
    expect(valueOf(await erased)).toBe(1);
  });

  test("what other threads had packed before the erasure is erased too", async () => {
    const packed = new ByteWriter();
    packContent(packed, "a", "1", 0, content("from before"));
    const old = Buffer.from(packed.written);
    let gateway: Gateway | null = null;
    const handedOver = () => Promise.resolve(gateway?.contents.keepPacked(old));
    gateway = await openGateway(poolOf(database.url), { handedOver });
    valueOf(await gateway.erasures.erase(ofOrganization("a")));
    gateway.contents.keep("a", "2", content("later"));
    await gateway.contents.flush();
    expect(await textOf(gateway, "a", "1")).toBeNull();
    expect(await textOf(gateway, "a", "2")).toBe("later");
  });

  test("a batch whose answer was lost is written again, and is there once", async () => {
    const gate = new Gate(poolOf(database.url));
    const gateway = await openGateway(gate);
    gate.lost.add("keep_content");
    gateway.contents.keep("a", "1", content("x"));
    await gateway.contents.flush();
    expect(gateway.failures.map(({ message }) => message)).toEqual([
      "readable content could not be kept (ECONNRESET)",
    ]);
    expect(gateway.contents.pendingBytes).toBeGreaterThan(0);
    await expect.poll(() => gateway.contents.pendingBytes).toBe(0);
    expect([gateway.contents.dropped, await textOf(gateway, "a", "1")]).toEqual([0, "x"]);
  });

  test("an erasure that one gateway has left is finished by any other, with one event", async () => {
    const gate = new Gate(poolOf(database.url));
    const first = await openGateway(gate);
    const others = [
      await openGateway(poolOf(database.url)),
      await openGateway(poolOf(database.url)),
    ];
    for (let i = 0; i < 600; i += 1) first.contents.keep("a", `${i}`, content("x"));
    await first.contents.flush();
    gate.lost.add("erase_content");
    expect(codeOf(await first.erasures.erase(ofOrganization("a", "delete")))).toBe(
      "internal_error",
    );
    expect(await linesErased()).toEqual([]);
    await Promise.all(others.map(({ erasures }) => erasures.resume()));
    await first.erasures.resume();
    const lines = await linesErased();
    const about = { eventType: "content.erased", message: "Readable content was erased." } as const;
    const data = { index: null, records: 600, by_key_id: "key_1" };
    const event = { ...about, orgId: "a", requestId: "delete", data };
    expect(lines).toEqual([canonicalEvent(event, readEvent(lines[0] ?? "{}").created_at)]);
    expect(await textOf(first, "a", "599")).toBeNull();
    for (const { failures } of others) expect(failures).toEqual([]);
  });

  test("two erasures of the same content at once remove all of it, and count it once", async () => {
    const gateways = await Promise.all([1, 2, 3].map(() => openGateway(poolOf(database.url))));
    const [one] = gateways;
    for (let i = 0; i < 2_000; i += 1) one?.contents.keep("a", `${i}`, content("x"));
    await one?.contents.flush();
    const erased = await Promise.all(
      gateways.map(({ erasures }, i) => erasures.erase(ofOrganization("a", `delete ${i}`))),
    );
    expect(erased.map(valueOf).reduce((sum, rows) => sum + rows, 0)).toBe(2_000);
    expect((await client.query("SELECT * FROM weir.content")).rows).toEqual([]);
    expect(await linesErased()).toHaveLength(3);
  });

  test("an erasure is forgotten after a day, and who did not hear of it keeps nothing", async () => {
    const pool = poolOf(database.url);
    const gate = new Gate(pool);
    const away = await openGateway(gate);
    const here = await openGateway(pool);
    valueOf(await here.erasures.erase(ofOrganization("b")));
    gate.shut = Promise.withResolvers();
    away.contents.keep("b", "1", content("from before"));
    await setTime("clock_timestamp() + interval '25 hours'");
    // One that has not ended is not forgotten.
    await callFunction(pool, "begin_erasure", ["left", "a", null, null, "key_1"]);
    valueOf(await here.contents.reap());
    const { rows } = await client.query<{ id: string }>("SELECT id FROM weir.content_erasure");
    expect(rows).toEqual([{ id: "left" }]);
    gate.shut.resolve();
    gate.shut = null;
    await away.contents.flush();
    expect(await textOf(here, "b", "1")).toBeNull();
    const late = await openGateway(pool);
    for (const [i, gateway] of [away, here, late].entries()) {
      gateway.contents.keep("b", `later ${i}`, content("later"));
      await gateway.contents.flush();
      expect(await textOf(here, "b", `later ${i}`)).toBe("later");
    }
  });

  test("a gateway that kept nothing for long hears of erasures too", async () => {
    const idle = await openGateway(poolOf(database.url));
    const eraser = await openGateway(poolOf(database.url));
    valueOf(await eraser.erasures.erase(ofOrganization("a")));
    valueOf(await idle.contents.reap());
    idle.contents.keep("a", "1", content("later"));
    await idle.contents.flush();
    expect(await textOf(idle, "a", "1")).toBe("later");
  });

  test("while the server is away content waits; readers are told, and it is told once", async () => {
    const url = new URL(database.url);
    const link = await FaultyLink.start(Number(url.port));
    onTestFinished(() => link.close());
    const gateway = await openGateway(poolOf(link.through(database.url)));
    link.refuse();
    gateway.contents.keep("a", "1", content("x"));
    for (let i = 0; i < 3; i += 1) await gateway.contents.flush();
    expect(codeOf(await gateway.contents.read("a", "1"))).toBe("internal_error");
    expect(codeOf(await gateway.erasures.erase(ofOrganization("b")))).toBe("internal_error");
    expect(gateway.failures.map(({ message }) => message)).toEqual([
      "readable content could not be kept (ECONNRESET)",
      "readable content could not be erased (ECONNRESET)",
    ]);
    link.heal();
    await expect.poll(() => gateway.contents.pendingBytes).toBe(0);
    expect([gateway.contents.dropped, await textOf(gateway, "a", "1")]).toEqual([0, "x"]);
  });

  test("a reaper that can remove nothing says so", async () => {
    const gate = new Gate(poolOf(database.url));
    const gateway = await openGateway(gate);
    gate.lost.add("reap_content");
    expect(codeOf(await gateway.contents.reap())).toBe("internal_error");
    expect(gateway.failures).toHaveLength(1);
  });
});

describeWithServer("content as a secret", () => {
  test("no error and no log of the server tells anything of it", async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.close());
    await migrate(server.url);
    const pool = poolOf(server.url);
    const gateway = await openGateway(pool);
    const secret = "a very private word";
    // No text of PostgreSQL has this character.
    gateway.contents.keep("org\u0000", "r", content(secret));
    await gateway.contents.flush();
    expect(gateway.contents.dropped).toBe(1);
    // What an error may tell besides its code.
    await pool.query(`CREATE FUNCTION weir.leak() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE '%', convert_from(NEW.value, 'UTF8') USING DETAIL = NEW.value, ERRCODE = '23505'; END $$;
      CREATE TRIGGER leak BEFORE INSERT ON weir.content FOR EACH ROW EXECUTE FUNCTION weir.leak()`);
    gateway.contents.keep("org", "r", content(secret));
    const logged = server.output.length;
    await gateway.contents.flush();
    expect(gateway.contents.dropped).toBe(2);
    expect(gateway.failures.map(({ message }) => message)).toEqual([
      "readable content could not be kept (22P05)",
    ]);
    const told = inspect(gateway.failures, { depth: null, showHidden: true });
    const isTold = (text: string) =>
      [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")].some(
        (form) => text.includes(form),
      );
    expect(isTold(told)).toBe(false);
    await expect.poll(() => server.output).toContain("unsupported Unicode escape sequence");
    // What follows is of the trigger, which no release has.
    expect(isTold(server.output.slice(0, logged))).toBe(false);
  });
});
