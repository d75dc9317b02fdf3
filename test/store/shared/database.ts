import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { migrate } from "../../../src/store/shared/migrations.ts";
import {
  isPostgresThere,
  mustHavePostgres,
  postgresSkipped,
  postgresUrl,
} from "../../support/postgres.ts";

const skipped = !(await isPostgresThere());
if (skipped) {
  if (mustHavePostgres) throw new Error("WEIR_TEST_POSTGRES_URL leads to no PostgreSQL");
  console.warn(postgresSkipped);
}

/** Tests that need PostgreSQL. */
export const describeWithPostgres = describe.skipIf(skipped);

/** A database with Weir's schema, for the tests of one file. */
export class TestDatabase {
  readonly #name = `weir_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  readonly #clients: Client[] = [];
  readonly #lasting: Client[] = [];
  #own: Promise<Client> | null = null;

  /** Call it in `describe`: the database lives as long as its tests. */
  constructor() {
    beforeAll(async () => {
      await onServer(`CREATE DATABASE ${this.#name}`);
      await migrate(this.url);
    });
    // A server has a hundred connections, for the tests of all files.
    afterEach(() => this.#disconnect());
    afterAll(async () => {
      await this.#disconnect();
      await Promise.all(this.#lasting.map((client) => client.end()));
      await onServer(`DROP DATABASE IF EXISTS ${this.#name} WITH (FORCE)`);
    });
  }

  get url(): string {
    const url = new URL(postgresUrl);
    url.pathname = `/${this.#name}`;
    return url.href;
  }

  /** A connection for all tests of the file. */
  async connectForAll(): Promise<Client> {
    const client = await this.#open();
    this.#lasting.push(client);
    return client;
  }

  /** A connection for the current test. */
  async connect(): Promise<Client> {
    const client = await this.#open();
    this.#clients.push(client);
    return client;
  }

  /** Lets nobody connect meanwhile. Connections that are there stay. */
  async whileClosed(work: () => Promise<void>): Promise<void> {
    await onServer(`ALTER DATABASE ${this.#name} ALLOW_CONNECTIONS false`);
    try {
      await work();
    } finally {
      await onServer(`ALTER DATABASE ${this.#name} ALLOW_CONNECTIONS true`);
    }
  }

  /** Empties all tables. */
  async empty(): Promise<void> {
    const client = await (this.#own ??= this.connectForAll());
    await client.query(`SET search_path = weir;
      TRUNCATE gateway, account, escrow, hold, ledger, ledger_month, debt, run, tile, change, config_row, job_claim, job_item_end,
        rate, rate_share, cap, cap_bucket, cap_grant RESTART IDENTITY;
      TRUNCATE content, content_erasure; UPDATE content_head SET erasure = 0, forgotten = 0;
      UPDATE meta SET oldest_release = DEFAULT, moving = NULL;
      UPDATE log_head SET size = 0, runs = 0; UPDATE config_head SET seq = 0; ALTER SEQUENCE store_run RESTART`);
  }

  async #open(): Promise<Client> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    return client;
  }

  async #disconnect(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
