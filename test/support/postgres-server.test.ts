import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PostgresServer } from "./postgres-server.ts";
import { describeWithServer } from "./with-postgres-server.ts";

describeWithServer("a PostgreSQL of a test's own", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await query("CREATE TABLE t (n integer)");
  });
  afterAll(() => server.close());

  async function query(sql: string): Promise<readonly unknown[]> {
    const client = await connected();
    try {
      // Several statements have several results.
      const results: unknown = await client.query({ text: sql, rowMode: "array" });
      return (Array.isArray(results) ? [] : (results as { rows: unknown[][] }).rows).flat();
    } finally {
      await client.end();
    }
  }

  async function connected(): Promise<Client> {
    const client = new Client({ connectionString: server.url });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  test("it writes to its disk before it answers, and is not root's", async () => {
    expect(await query("SHOW fsync")).toEqual(["on"]);
    const [pid] = await query("SELECT pg_backend_pid()");
    expect(pid).toBeTypeOf("number");
    const owners = postgresProcesses(server.port);
    expect(owners.length).toBeGreaterThan(0);
    expect(owners).not.toContain("0");
  });

  test("a kill takes what was not committed, and nothing else", async () => {
    await query("TRUNCATE t; INSERT INTO t VALUES (1)");
    const open = await connected();
    await open.query("BEGIN; INSERT INTO t VALUES (2)");
    const cutOff = new Promise((resolve) => open.once("end", resolve));
    await server.kill();
    await cutOff;
    await expect(query("SELECT 1")).rejects.toThrow("ECONNREFUSED");
    expect(postgresProcesses(server.port)).toEqual([]);
    await server.start();
    expect(await query("SELECT n FROM t")).toEqual([1]);

    await expect.poll(() => server.output).toContain("automatic recovery in progress");
  });

  test("it is stopped and started at the same address", async () => {
    const { url } = server;
    await server.restart();
    expect(server.url).toBe(url);
    await query("SELECT 1");
    await expect.poll(() => server.output).toContain("received fast shutdown request");
  });

  test("while it stands still nobody is answered or cut off; then everybody is answered", async () => {
    const client = await connected();
    server.pause();
    let answered = false;
    const answer = client.query("SELECT 1").then(() => (answered = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(answered).toBe(false);
    server.resume();
    await answer;
    await client.end();
  });

  test("it can be killed while it stands still", async () => {
    server.pause();
    await server.kill();
    await server.start();
    await query("SELECT 1");
  });

  test("it goes back in time", async () => {
    await query("TRUNCATE t; INSERT INTO t VALUES (1)");
    await server.stop();
    await server.copy();
    await server.start();
    await query("INSERT INTO t VALUES (2)");
    await expect(server.copy()).rejects.toThrow("runs");
    await server.kill();
    await server.restore();
    await server.start();
    expect(await query("SELECT n FROM t")).toEqual([1]);
  });

  test("it is gone once its process was killed", async () => {
    const module = JSON.stringify(new URL("postgres-server.ts", import.meta.url));
    const program = `
      const { PostgresServer } = await import(${module});
      const server = await PostgresServer.start();
      console.log(server.port);
      setInterval(() => undefined, 60_000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const port = Number(line);
    expect(postgresProcesses(port)).not.toEqual([]);
    child.kill("SIGKILL");
    await expect.poll(() => postgresProcesses(port)).toEqual([]);
  });
});

/** The users of the server of this port. */
function postgresProcesses(port: number): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (command[0]?.endsWith("/postgres") !== true || !command.includes(String(port))) return [];
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return /^Uid:\s+(\d+)/m.exec(status)?.[1] ?? [];
    } catch {
      return [];
    }
  });
}
