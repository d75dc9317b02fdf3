import { execFile, spawn, type ChildProcess } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { childrenOf, isAlive, signal } from "./processes.ts";

const run = promisify(execFile);

/** Bounds of a start: recovery after a kill takes time. */
const [startMsMax, stopMsMax] = [60_000, 30_000];
/** Below the ports that systems give to clients, so that nobody takes it while the server is down. */
const [portMin, portMax] = [15_000, 30_000];
const outputCharsMax = 1_000_000;

const nowhere: Reach = { hosts: [], clients: [] };
const settings = {
  unix_socket_directories: "",
  max_connections: 50,
  shared_buffers: "16MB",
  fsync: "on",
  // Who has vanished keeps its connections for so many seconds.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
};

/** The folder of `initdb` and `postgres`; null: this machine has none. */
const binaries = await findBinaries();
export const canStartPostgres = binaries !== null;

/** A user that PostgreSQL may run as, which is never root. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Who reaches it besides this machine itself, without a password. */
export interface Reach {
  /** Addresses of this machine. */
  readonly hosts: readonly string[];
  readonly clients: readonly string[];
}

/**
 * A PostgreSQL for one test: with a data folder and a port of its own, so that it can be killed, stopped and set back. It
 * is gone when this process is, however that ends. Linux alone.
 */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #owner: Owner | null;
  readonly #hosts: readonly string[];
  /** Ends the server once this process is gone. */
  readonly #guard: ChildProcess;
  #postmaster: ChildProcess | null = null;
  #output = "";

  private constructor(port: number, folder: string, owner: Owner | null, hosts: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#owner = owner;
    this.#hosts = ["127.0.0.1", ...hosts];
    // Its input ends with this process. QUIT ends a server at once, and CONT lets one that stands still hear of it.
    const script = `cat; pid=$(head -n 1 "$0/data/postmaster.pid") && kill -QUIT $pid && kill -CONT $pid
      n=0; while kill -0 $pid && [ $n -lt 100 ]; do n=$((n+1)); sleep 0.1; done; rm -rf "$0"`;
    this.#guard = spawn("/bin/sh", ["-c", script, folder], {
      ...this.#asOwner,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#guard.unref();
  }

  /** A server that runs, with an empty database `postgres`. */
  static async start({ hosts, clients }: Reach = nowhere): Promise<PostgresServer> {
    const owner = ownerOfServer();
    const folder = mkdtempSync(join(realpathSync(tmpdir()), "weir-postgres-"));
    if (owner !== null) chownSync(folder, owner.uid, owner.gid);
    const server = new PostgresServer(await freePort(), folder, owner, hosts);
    try {
      const data = join(folder, "data");
      const how = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"];
      await run(join(folderOfBinaries(), "initdb"), ["-D", data, ...how], server.#asOwner);
      const trusted = clients.map((client) => `host all all ${client}/32 trust\n`);
      appendFileSync(join(data, "pg_hba.conf"), trusted.join(""));
      await server.start();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** As the superuser, who needs no password. */
  get url(): string {
    return this.urlOf("postgres");
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** What it has written to its log, the end of it. */
  get output(): string {
    return this.#output;
  }

  get running(): boolean {
    return this.#postmaster !== null;
  }

  /** Starts it, again if need be; resolves when it answers. Throws if it does not within a minute. */
  async start(): Promise<void> {
    if (this.#postmaster !== null) return;
    const all = { ...settings, listen_addresses: this.#hosts.join(",") };
    const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(
      join(folderOfBinaries(), "postgres"),
      ["-D", join(this.#folder, "data"), "-p", String(this.port), ...options],
      { ...this.#asOwner, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#postmaster = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-outputCharsMax);
      });
    }
    child.on("exit", () => {
      if (this.#postmaster === child) this.#postmaster = null;
    });
    await until(
      () => this.#answers(),
      startMsMax,
      () => `PostgreSQL did not start:\n${this.#output}`,
      () => this.#postmaster !== child,
    );
  }

  /** As an operator stops it: clients are cut off, everything is written. */
  async stop(): Promise<void> {
    await this.#end(([postmaster]) => signal(postmaster, "SIGINT"));
  }

  /** As kill -9 of all its processes at once, or a machine that loses power with its disks intact. */
  async kill(): Promise<void> {
    // They stand still first, so that none starts another one or tells a client why it ends.
    this.pause();
    await this.#end((pids) => {
      for (const pid of pids) signal(pid, "SIGKILL");
    });
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Lets all its processes stand still, until `resume`. Connections stay open. */
  pause(): void {
    const pid = this.#postmaster?.pid;
    if (pid === undefined) return;
    signal(pid, "SIGSTOP");
    for (const child of childrenOf(pid)) signal(child, "SIGSTOP");
  }

  resume(): void {
    const pid = this.#postmaster?.pid;
    if (pid === undefined) return;
    for (const child of childrenOf(pid)) signal(child, "SIGCONT");
    signal(pid, "SIGCONT");
  }

  /** Copies its data, for `restore`. It must have been stopped, or killed. */
  async copy(): Promise<void> {
    await this.#replace("data", "copy");
  }

  /** Sets it back to what it was at `copy`. It must have been stopped, or killed. */
  async restore(): Promise<void> {
    await this.#replace("copy", "data");
  }

  /** Ends it and removes its data. Closing twice closes once. */
  async close(): Promise<void> {
    await this.kill();
    this.#guard.stdin?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #asOwner(): { readonly uid?: number; readonly gid?: number; readonly cwd: string } {
    return { ...this.#owner, cwd: this.#folder };
  }

  async #end(
    how: (pids: readonly [postmaster: number, ...children: number[]]) => void,
  ): Promise<void> {
    const postmaster = this.#postmaster;
    if (postmaster?.pid === undefined) return;
    const all = [postmaster.pid, ...childrenOf(postmaster.pid)] as const;
    how(all);
    const isOver = (): boolean => this.#postmaster !== postmaster && !all.some(isAlive);
    await until(isOver, stopMsMax, () => `PostgreSQL did not end:\n${this.#output}`);
    // A killed server leaves it. By then its process id may be another program's.
    rmSync(join(this.#folder, "data", "postmaster.pid"), { force: true });
  }

  async #replace(from: string, to: string): Promise<void> {
    if (this.running) throw new Error("PostgreSQL runs, so its data can't be copied");
    rmSync(join(this.#folder, to), { recursive: true, force: true });
    await run("cp", ["-a", from, to], this.#asOwner);
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 1_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("SELECT 1");
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function folderOfBinaries(): string {
  if (binaries === null) throw new Error("there is no PostgreSQL on this machine");
  return binaries;
}

async function findBinaries(): Promise<string | null> {
  const found = [
    await run("pg_config", ["--bindir"]).then(
      ({ stdout }) => stdout.trim(),
      () => "",
    ),
  ];
  const versions = "/usr/lib/postgresql";
  if (existsSync(versions)) {
    const newestFirst = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
    found.push(...newestFirst.map((version) => join(versions, version, "bin")));
  }
  const isWhole = (folder: string): boolean =>
    ["initdb", "postgres"].every((name) => existsSync(join(folder, name)));
  return found.filter((folder) => folder !== "").find(isWhole) ?? null;
}

/** null: who runs this process. PostgreSQL refuses to run as root. */
function ownerOfServer(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error("PostgreSQL can't run as root, and there is no other user");
}

async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = portMin + Math.floor(Math.random() * (portMax - portMin));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error("no port is free");
}

async function until(
  isSo: () => boolean | Promise<boolean>,
  msMax: number,
  message: () => string,
  isHopeless: () => boolean = () => false,
): Promise<void> {
  const endMs = performance.now() + msMax;
  while (!(await isSo())) {
    if (performance.now() > endMs || isHopeless()) throw new Error(message());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
