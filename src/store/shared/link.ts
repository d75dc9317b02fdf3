import { Client, type Notification } from "pg";
import { connectionConfig } from "./connection-config.ts";
import type { Queryable } from "./call-function.ts";

/** What a `Link` needs of pg's `Client`. */
export interface Connection extends Queryable {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (notification: Notification) => void): unknown;
  connect(): Promise<unknown>;
  /** One or more commands without values. */
  query(commands: string): Promise<unknown>;
  query(...values: Parameters<Queryable["query"]>): ReturnType<Queryable["query"]>;
  end(): Promise<void>;
}

/** Makes a connection that is not open yet. */
export type NewConnection = (url: string) => Connection;

export interface LinkOptions {
  readonly url: string;
  /** Absent: pg's `Client`. */
  readonly newConnection?: NewConnection | undefined;
  /** Prepares a new connection before anything else uses it. A rejection ends the connection. */
  readonly opened?: (client: Connection, number: number) => Promise<void>;
  readonly notified?: (notification: Notification) => void;
  /** A connection broke, or a question on it took too long. */
  readonly broken: (error: Error) => void;
}

/**
 * A connection to PostgreSQL that is made anew when it has broken. A server that does not answer within
 * `sharedQueryMsMax` counts as gone: a network may swallow everything without a word.
 */
export class Link implements Queryable {
  readonly #options: LinkOptions;
  #client: Promise<Connection> | null = null;
  /** Ends with the question before. */
  #turn: Promise<unknown> = Promise.resolve();
  #number = 0;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Questions are asked one after the other. Rejects if the server can't be reached, or the connection breaks before the
   * answer.
   */
  async query(query: Parameters<Queryable["query"]>[0]): ReturnType<Queryable["query"]> {
    const opening = this.#opened();
    const client = await opening;
    const answer = this.#turn.then(() => {
      if (this.#client !== opening) throw new Error("the connection broke");
      return client.query({ ...query, values: [...query.values] });
    });
    this.#turn = answer.catch(() => undefined);
    try {
      return await answer;
    } catch (error) {
      // A refusal of the server leaves the connection as it was.
      if (!isRefusal(error)) this.#drop(opening, error as Error);
      throw error;
    }
  }

  /** Connects if there is no connection. */
  async ready(): Promise<void> {
    await this.#opened();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.then((open) => open.end()).catch(() => undefined);
  }

  #opened(): Promise<Connection> {
    if (this.#closed) return Promise.reject(new Error("the connection was closed"));
    if (this.#client !== null) return this.#client;
    const opening: Promise<Connection> = this.#open((error) => this.#drop(opening, error));
    this.#client = opening;
    opening.catch((error: unknown) => this.#drop(opening, error as Error));
    return opening;
  }

  /** `ended`: this connection has broken, and not one that was made after it. */
  async #open(ended: (error: Error) => void): Promise<Connection> {
    const { url, newConnection = pgClient } = this.#options;
    const client = newConnection(url);
    client.on("error", ended);
    client.on("end", () => ended(new Error("the server has ended the connection")));
    if (this.#options.notified !== undefined) client.on("notification", this.#options.notified);
    try {
      await client.connect();
      await this.#options.opened?.(client, (this.#number += 1));
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  #drop(dropped: Promise<Connection>, error: Error): void {
    if (this.#client !== dropped) return;
    this.#client = null;
    void dropped.then((client) => client.end()).catch(() => undefined);
    if (!this.#closed) this.#options.broken(error);
  }
}

function pgClient(url: string): Connection {
  return new Client({ ...connectionConfig(url), options: planOptions });
}

/**
 * The functions are called thousands of times with small batches, so their statements are planned once, and by index. A plan
 * that was made while a table was small would else read all of it when it has grown.
 */
const planOptions = ["plan_cache_mode=force_generic_plan", "enable_seqscan=off", "jit=off"]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** PostgreSQL's own errors have a code of five characters; those of class 57P and 08 end the connection. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string")
    return false;
  return /^[0-9A-Z]{5}$/.test(error.code) && !/^(57P|08)/.test(error.code);
}
