import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { migrate } from "../../src/store/shared/migrations.ts";

const serverUrl =
  process.env["WEIR_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** A database of the bench's own on the PostgreSQL of this machine. */
export class BenchDatabase {
  readonly #name: string;

  constructor(purpose: string) {
    this.#name = `weir_bench_${purpose}_${process.pid}`;
  }

  get url(): string {
    const url = new URL(serverUrl);
    url.pathname = `/${this.#name}`;
    return url.href;
  }

  async make(): Promise<void> {
    await onServer(`CREATE DATABASE ${this.#name}`);
    await migrate(this.url);
  }

  async drop(): Promise<void> {
    await onServer(`DROP DATABASE IF EXISTS ${this.#name} WITH (FORCE)`);
  }

  /** CPU time of the server's processes for this database, and of those that write for all, in milliseconds. */
  cpuMs(): number {
    const ours = new RegExp(
      `^postgres: .*(${this.#name} |walwriter|checkpointer|background writer)`,
    );
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.reduce((sum, pid) => sum + (ours.test(commandOf(pid)) ? cpuMsOf(pid) : 0), 0);
  }
}

/** CPU time of a process's main thread, in milliseconds; 0: it has ended. */
export function cpuMsOf(pid: number | string): number {
  const [nanoseconds = "0"] = textOf(`/proc/${pid}/schedstat`).split(" ");
  return Number(nanoseconds) / 1e6;
}

function commandOf(pid: string): string {
  return textOf(`/proc/${pid}/cmdline`);
}

/** Empty if the process has ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
