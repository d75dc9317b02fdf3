import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { bothDirections, type Direction, type Link } from "./faulty-link.ts";

/** Two ends of a path: an address of this machine, and one inside a namespace. */
interface Path {
  readonly outside: string;
  readonly inside: string;
}

/** Where no other network is likely to be. The third number is by chance. */
const network = "10.213";
/** Of namespaces and of devices, followed by the process that made them. A device's name has 15 characters at most. */
const prefix = "weir";
const innerDevice = "eth0";
const [outerMac, innerMac, nobodysMac] = [
  "02:00:00:00:00:01",
  "02:00:00:00:00:02",
  "02:00:00:00:00:03",
] as const;
const commandMsMax = 20_000;
const resetMsMax = 2_000;

/**
 * A network namespace with two paths to this machine. Over the faulty one packets can get lost, as in a network that has
 * parted: what is sent goes to a hardware address that nobody has, so neither side is told, and TCP tries again.
 */
export class NamespaceLink implements Link {
  /** A server on its outer address is reached over this link. */
  readonly faulty: Path;
  /** Nothing ever happens to it. */
  readonly sound: Path;
  readonly #name: string;
  #loses = false;
  #refuses = false;

  private constructor(third: number, number: number) {
    this.#name = `${prefix}${process.pid}.${number}`;
    const path = (first: number): Path => ({
      outside: `${network}.${third}.${8 * number + first}`,
      inside: `${network}.${third}.${8 * number + first + 1}`,
    });
    // In subnets of four, so that each end finds the other one on the same path.
    [this.faulty, this.sound] = [path(1), path(5)];
  }

  /** Makes them all, or says why this machine can't. Each can reach the outer address of the first one's sound path. */
  static async make(count: number): Promise<readonly NamespaceLink[] | string> {
    if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes root on Linux";
    const links: NamespaceLink[] = [];
    try {
      removeLeftovers();
      if (!(await canReset())) return "this kernel can't reset the connections of others";
      const third = freeThird();
      for (let number = 0; number < count; number += 1) {
        const link = new NamespaceLink(third, number);
        links.push(link);
        link.#make(links[0]?.sound.outside ?? "");
      }
      return links;
    } catch (error) {
      for (const link of links) await link.close();
      return String(error).trim();
    }
  }

  /** What starts a program inside, before the program's own command. It keeps its process id. */
  get launcher(): readonly string[] {
    return ["ip", "netns", "exec", this.#name];
  }

  through(url: string): string {
    const over = new URL(url);
    over.hostname = this.faulty.outside;
    return over.href;
  }

  cut(): void {
    ip("netns", "exec", this.#name, "ss", "--tcp", "--kill", "dst", this.faulty.outside);
  }

  refuse(): void {
    this.cut();
    if (this.#refuses) return;
    this.#refuses = true;
    ip("-n", this.#name, "route", "add", "unreachable", `${this.faulty.outside}/32`);
    // What has connected meanwhile.
    this.cut();
  }

  stall(lost: readonly Direction[] = bothDirections): void {
    this.#loses = true;
    if (lost.includes("there")) this.#sendOut(nobodysMac);
    if (lost.includes("back")) this.#sendIn(nobodysMac);
  }

  heal(): void {
    if (this.#refuses) {
      ip("-n", this.#name, "route", "del", "unreachable", `${this.faulty.outside}/32`);
    }
    if (this.#loses) {
      this.#sendOut(outerMac);
      this.#sendIn(innerMac);
    }
    [this.#refuses, this.#loses] = [false, false];
  }

  /** What runs inside must have ended. */
  close(): Promise<void> {
    removeNamespace(this.#name);
    return Promise.resolve();
  }

  #make(sharedHost: string): void {
    const { faulty, sound } = this;
    const name = this.#name;
    const inside = ["-n", name];
    ip("netns", "add", name);
    const peer = ["peer", "name", innerDevice, "address", innerMac, "netns", name];
    ip("link", "add", name, "address", outerMac, "type", "veth", ...peer);
    for (const path of [faulty, sound]) {
      ip("addr", "add", `${path.outside}/30`, "dev", name);
      ip(...inside, "addr", "add", `${path.inside}/30`, "dev", innerDevice);
    }
    ip("link", "set", name, "up");
    for (const device of ["lo", innerDevice]) ip(...inside, "link", "set", device, "up");
    if (sharedHost !== sound.outside) {
      ip(...inside, "route", "add", `${sharedHost}/32`, "via", sound.outside);
    }
    this.#sendOut(outerMac);
    this.#sendIn(innerMac);
  }

  /** Where the namespace's packets for the faulty path's outer address go. It asks nobody who has that address. */
  #sendOut(mac: string): void {
    ip("-n", this.#name, ...neighbor(this.faulty.outside, mac, innerDevice));
  }

  #sendIn(mac: string): void {
    ip(...neighbor(this.faulty.inside, mac, this.#name));
  }
}

function neighbor(host: string, mac: string, device: string): readonly string[] {
  return ["neigh", "replace", host, "lladdr", mac, "dev", device, "nud", "permanent"];
}

function ip(...args: readonly string[]): string {
  return execFileSync("ip", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: commandMsMax,
  });
}

/** A third number that no address of this machine has. */
function freeThird(): number {
  const taken = ip("-4", "-o", "addr", "show");
  for (let tries = 0; tries < 100; tries += 1) {
    const third = Math.floor(Math.random() * 256);
    if (!taken.includes(` ${network}.${third}.`)) return third;
  }
  throw new Error(`all of ${network} is taken`);
}

/** Removes what processes have left that were killed, with the programs that still run inside. */
function removeLeftovers(): void {
  for (const line of ip("netns", "list").split("\n")) {
    const [name = "", pid] = new RegExp(`^${prefix}(\\d+)\\.\\d+`).exec(line) ?? [];
    if (pid === undefined || canSignal(Number(pid), 0)) continue;
    for (const inside of ip("netns", "pids", name).split("\n").filter(Boolean)) {
      canSignal(Number(inside), "SIGKILL");
    }
    removeNamespace(name);
  }
}

/** Its devices go with it, and their other ends too. */
function removeNamespace(name: string): void {
  try {
    ip("netns", "del", name);
  } catch {
    // It was never made, or somebody else has removed it.
  }
}

function canSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether the kernel was built with what `ss --kill` needs. Without it, it says nothing and does nothing. */
async function canReset(): Promise<boolean> {
  const server = createServer((accepted) => accepted.on("error", () => undefined));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const closed = new Promise<boolean>((resolve) => socket.once("error", () => resolve(true)));
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), resetMsMax));
  try {
    await once(socket, "connect");
    execFileSync("ss", ["--tcp", "--kill", "src", `127.0.0.1:${socket.localPort}`], {
      stdio: "ignore",
      timeout: commandMsMax,
    });
    return await Promise.race([closed, late]);
  } finally {
    socket.destroy();
    server.close();
  }
}
