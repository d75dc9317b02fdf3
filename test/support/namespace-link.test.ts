import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { NamespaceLink } from "./namespace-link.ts";

const made = await NamespaceLink.make(2);
if (typeof made === "string") console.warn(`SKIPPED: no network namespaces: ${made}.`);
const links = typeof made === "string" ? [] : made;

/** Connects and says so, sends what it is given, and tells what it gets and how that ends. */
const client = `
  const socket = require("node:net").connect(Number(process.argv[1]), process.argv[2]);
  process.stdin.on("data", (bytes) => socket.write(bytes));
  socket.on("connect", () => process.stdout.write("."));
  socket.on("data", (bytes) => process.stdout.write(bytes));
  socket.on("error", (error) => process.stdout.write(error.code));
  socket.on("close", () => process.exit());
`;

describe.skipIf(links.length === 0)("a network of namespaces", () => {
  const [first, second] = links as readonly [NamespaceLink, NamespaceLink];
  /** The server's ends of the connections, and what it got. It sends back what it is sent, in capitals. */
  const accepted: Socket[] = [];
  let got = "";
  const servers: Server[] = [];
  const callers: ChildProcess[] = [];

  beforeAll(async () => {
    for (const host of [first.faulty.outside, second.faulty.outside, first.sound.outside]) {
      const server = createServer((socket) => {
        accepted.push(socket);
        socket.on("error", (error: NodeJS.ErrnoException) => (got += error.code ?? ""));
        socket.on("data", (bytes: Buffer) => {
          got += bytes.toString();
          socket.write(bytes.toString().toUpperCase());
        });
      });
      await once(server.listen(servers.length === 0 ? 0 : portOf(servers[0]), host), "listening");
      servers.push(server);
    }
  });

  afterEach(async () => {
    for (const link of links) link.heal();
    for (const caller of callers.splice(0)) {
      caller.kill("SIGKILL");
      await expect.poll(() => hasEnded(caller)).toBe(true);
    }
    for (const socket of accepted.splice(0)) socket.destroy();
    got = "";
  });

  afterAll(async () => {
    for (const server of servers) server.close();
    for (const link of links) await link.close();
    expect(execFileSync("ip", ["netns", "list"]).toString()).not.toContain(`weir${process.pid}.`);
  });

  function portOf(server: Server | undefined): number {
    return (server?.address() as AddressInfo).port;
  }

  function call(link: NamespaceLink, host: string) {
    const [command, ...args] = [...link.launcher, process.execPath, "-e", client];
    const child = spawn(command, [...args, String(portOf(servers[0])), host]);
    callers.push(child);
    let told = "";
    child.stdout.on("data", (bytes: Buffer) => (told += bytes.toString()));
    child.stdin.on("error", () => undefined);
    return { told: () => told, send: (text: string) => child.stdin.write(text) };
  }

  async function connected(link: NamespaceLink, host: string) {
    const caller = call(link, host);
    await expect.poll(caller.told).toBe(".");
    return caller;
  }

  test("what is lost is lost in silence, on one path of one namespace, and comes later", async () => {
    const caller = await connected(first, first.faulty.outside);
    const sound = await connected(first, first.sound.outside);
    const other = await connected(second, second.faulty.outside);
    // What is not its own is reached over the sound path.
    const shared = await connected(second, first.sound.outside);
    first.stall();
    caller.send("a");
    const late = call(first, first.faulty.outside);
    for (const unharmed of [sound, other, shared]) {
      unharmed.send("b");
      await expect.poll(unharmed.told).toBe(".B");
    }
    await passed(500);
    expect([got, caller.told(), late.told()]).toEqual(["bbb", ".", ""]);
    first.heal();
    await expect.poll(caller.told).toBe(".A");
    await expect.poll(late.told).toBe(".");
  });

  test("one direction can be lost, and the other one carries", async () => {
    const caller = await connected(first, first.faulty.outside);
    first.stall(["back"]);
    caller.send("a");
    await expect.poll(() => got).toBe("a");
    await passed(300);
    expect(caller.told()).toBe(".");
    first.heal();
    await expect.poll(caller.told).toBe(".A");

    first.stall(["there"]);
    caller.send("b");
    accepted[0]?.write("c");
    await expect.poll(caller.told).toBe(".Ac");
    await passed(300);
    expect(got).toBe("a");
    first.heal();
    await expect.poll(caller.told).toBe(".AcB");
  });

  test("a cut resets what is there, and nothing new", async () => {
    const caller = await connected(first, first.faulty.outside);
    const other = await connected(second, second.faulty.outside);
    first.cut();
    await expect.poll(caller.told).toBe(".ECONNABORTED");
    await expect.poll(() => got).toBe("ECONNRESET");
    await connected(first, first.faulty.outside);
    other.send("a");
    await expect.poll(other.told).toBe(".A");
  });

  test("a link that refuses lets nothing connect until it heals", async () => {
    const caller = await connected(first, first.faulty.outside);
    first.refuse();
    await expect.poll(caller.told).toBe(".ECONNABORTED");
    await expect.poll(() => got).toBe("ECONNRESET");
    await expect.poll(call(first, first.faulty.outside).told).toBe("EHOSTUNREACH");
    first.heal();
    await connected(first, first.faulty.outside);
  });

  test("what a killed process has left is removed, with what runs in it", async () => {
    const dead = spawn("true");
    await once(dead, "close");
    const name = `weir${dead.pid}.0`;
    execFileSync("ip", ["netns", "add", name]);
    const inside = spawn("ip", ["netns", "exec", name, "sleep", "60"]);
    await expect
      .poll(() => execFileSync("ip", ["netns", "pids", name]).toString().trim())
      .toBe(String(inside.pid));
    const more = await NamespaceLink.make(0);
    expect(more).toEqual([]);
    await expect.poll(() => hasEnded(inside)).toBe(true);
    const left = execFileSync("ip", ["netns", "list"]).toString();
    expect(left).not.toContain(name);
    // Those of a process that lives stay.
    expect(left).toContain(`weir${process.pid}.`);
  });
});

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
